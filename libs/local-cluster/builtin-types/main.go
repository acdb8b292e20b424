// Command builtin-types writes what the embedded API server has to know of the built-in Kubernetes kinds:
// of each Go type its fields with JSON name, protobuf number and type, from the structs of k8s.io/api.
// usage: cd libs/local-cluster/builtin-types && go run . > ../src/builtin-types/builtin-types.generated.ts
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	admission "k8s.io/api/admission/v1"
	admissionregistration "k8s.io/api/admissionregistration/v1"
	apps "k8s.io/api/apps/v1"
	authentication "k8s.io/api/authentication/v1"
	authorization "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	events "k8s.io/api/events/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	rbac "k8s.io/api/rbac/v1"
	scheduling "k8s.io/api/scheduling/v1"
	storage "k8s.io/api/storage/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

var roots = map[string][]any{
	"v1": {
		core.Namespace{}, core.Pod{}, core.ConfigMap{}, core.Secret{}, core.Service{}, core.ServiceAccount{}, core.Event{},
		core.Node{}, core.PersistentVolume{}, core.PersistentVolumeClaim{}, core.ResourceQuota{}, core.LimitRange{},
		core.Endpoints{}, core.PodTemplate{}, core.ReplicationController{}, meta.DeleteOptions{}, core.Binding{},
	},
	"apps/v1":                      {apps.Deployment{}, apps.DaemonSet{}, apps.ReplicaSet{}, apps.StatefulSet{}, apps.ControllerRevision{}},
	"batch/v1":                     {batch.Job{}, batch.CronJob{}},
	"rbac.authorization.k8s.io/v1": {rbac.Role{}, rbac.RoleBinding{}, rbac.ClusterRole{}, rbac.ClusterRoleBinding{}},
	"admission.k8s.io/v1":          {admission.AdmissionReview{}},
	"admissionregistration.k8s.io/v1": {
		admissionregistration.ValidatingAdmissionPolicy{}, admissionregistration.ValidatingAdmissionPolicyBinding{},
		admissionregistration.ValidatingWebhookConfiguration{}, admissionregistration.MutatingWebhookConfiguration{},
	},
	"policy/v1":                 {policy.PodDisruptionBudget{}, policy.Eviction{}},
	"events.k8s.io/v1":          {events.Event{}},
	"coordination.k8s.io/v1":    {coordination.Lease{}},
	"networking.k8s.io/v1":      {networking.Ingress{}, networking.IngressClass{}, networking.NetworkPolicy{}},
	"scheduling.k8s.io/v1":      {scheduling.PriorityClass{}},
	"storage.k8s.io/v1":         {storage.StorageClass{}},
	"discovery.k8s.io/v1":       {discovery.EndpointSlice{}},
	"autoscaling/v1":            {autoscalingv1.Scale{}},
	"autoscaling/v2":            {autoscaling.HorizontalPodAutoscaler{}},
	"apiregistration.k8s.io/v1": {apiregistration.APIService{}},
	"apiextensions.k8s.io/v1":   {apiextensions.CustomResourceDefinition{}},
	"authentication.k8s.io/v1": {
		authentication.TokenRequest{}, authentication.TokenReview{}, authentication.SelfSubjectReview{},
	},
	"authorization.k8s.io/v1": {
		authorization.SelfSubjectAccessReview{}, authorization.SubjectAccessReview{},
		authorization.LocalSubjectAccessReview{}, authorization.SelfSubjectRulesReview{},
	},
}

// Types with a JSON form of their own; the name is what the decoder switches on.
var special = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                           "microtime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                            "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                            "raw",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                            "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                          "intOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                             "raw",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":            "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaProps": "any",
}

var names = map[reflect.Type]string{}
var taken = map[string]reflect.Type{}
var types = map[string][]string{}

func main() {
	kinds := map[string]string{}
	versions := slices.Sorted(maps.Keys(roots))
	for _, version := range versions {
		for _, object := range roots[version] {
			t := reflect.TypeOf(object)
			kinds[version+"/"+t.Name()] = structName(t)
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"kinds": kinds, "types": types}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("// Made by libs/local-cluster/builtin-types from k8s.io/api v0.34.1 (Apache-2.0). Do not edit.")
	fmt.Println("/* oxlint-disable max-lines -- generated */")
	fmt.Println("/** JSON text; see parse-builtin-types.ts for its form. */")
	fmt.Println("export const builtinTypesJson: string = [")
	text := strings.TrimSpace(out.String())
	for len(text) > 0 {
		n := min(3000, len(text))
		fmt.Printf("  '%s',\n", text[:n])
		text = text[n:]
	}
	fmt.Println(`].join("");`)
}

// structName registers a struct with its fields and answers its key: the Go name, with the package where two share a name.
func structName(t reflect.Type) string {
	if name, ok := names[t]; ok {
		return name
	}
	name := t.Name()
	for i := 2; taken[name] != nil; i++ {
		name = fmt.Sprintf("%s#%d", t.Name(), i)
	}
	names[t], taken[name] = name, t
	fields := []string{}
	for i := 0; i < t.NumField(); i++ {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("json"), ",")
		if field.Type.Name() == "TypeMeta" || tag[0] == "-" || !field.IsExported() {
			continue
		}
		fields = append(fields, describe(field, tag))
	}
	types[name] = fields
	return name
}

// describe answers "json name|protobuf number|flags|type"; the name is empty for embedded structs.
func describe(field reflect.StructField, tag []string) string {
	number := "0"
	if parts := strings.Split(field.Tag.Get("protobuf"), ","); len(parts) > 1 {
		number = parts[1]
	}
	flags := ""
	for _, option := range tag[1:] {
		switch option {
		case "omitempty":
			flags += "o"
		case "omitzero":
			flags += "z"
		}
	}
	t := field.Type
	if t.Kind() == reflect.Pointer {
		flags += "p"
		t = t.Elem()
	}
	return strings.Join([]string{tag[0], number, flags, typeText(t)}, "|")
}

func typeText(t reflect.Type) string {
	full := t.PkgPath() + "." + t.Name()
	if text, ok := special[full]; ok {
		return text
	}
	named := ""
	if t.PkgPath() != "" && t.Kind() != reflect.Struct {
		named = ":" + t.String()
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Float64:
		return t.Kind().String() + named
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		// A named list is a message of its own in protobuf.
		if named != "" {
			return "<" + named[1:] + ">[]" + elemText(t.Elem())
		}
		return "[]" + elemText(t.Elem())
	case reflect.Map:
		return "{}" + elemText(t.Elem())
	case reflect.Struct:
		return "@" + structName(t)
	case reflect.Interface:
		return "any"
	}
	panic("no text for " + t.String())
}

func elemText(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return typeText(t)
}
