// Answers what the Kubernetes library makes of three states: one JSON object a line on stdin, one answer a line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
)

// Question has the three states; a kind that is not built in gets a JSON merge patch.
type Question struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Original   json.RawMessage `json:"original"`
	Modified   json.RawMessage `json:"modified"`
	Current    json.RawMessage `json:"current"`
}

// Answer has the patch, and the live object that it is applied to.
type Answer struct {
	Type   string          `json:"type,omitempty"`
	Patch  json.RawMessage `json:"patch,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func answer(question Question) (Answer, error) {
	group, err := schema.ParseGroupVersion(question.APIVersion)
	if err != nil {
		return Answer{}, err
	}
	object, err := clientgoscheme.Scheme.New(group.WithKind(question.Kind))
	if err != nil {
		patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(question.Original, question.Modified, question.Current)
		return Answer{Type: "merge", Patch: patch}, err
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		return Answer{}, err
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(question.Original, question.Modified, question.Current, meta, true)
	if err != nil {
		return Answer{}, err
	}
	result, err := strategicpatch.StrategicMergePatch(question.Current, patch, object)
	return Answer{Type: "strategic", Patch: patch, Result: result}, err
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var question Question
		if err := json.Unmarshal(line, &question); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		result, err := answer(question)
		if err != nil {
			result = Answer{Error: err.Error()}
		}
		if err := output.Encode(result); err != nil {
			os.Exit(1)
		}
	}
}
