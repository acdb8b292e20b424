package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
)

func init() {
	modes["template"] = runTemplate
}

// TemplateCase is a chart in "chart/" with the values that a user gives.
type TemplateCase struct {
	Files  map[string]TreeEntry   `json:"files"`
	Values map[string]interface{} `json:"values"`
}

// TemplateResult is what `helm template` prints, or its error.
type TemplateResult struct {
	Out   string `json:"out"`
	Notes string `json:"notes,omitempty"`
	Error string `json:"error,omitempty"`
}

// The command itself, without a process for each chart.
func runTemplate(question []byte) (answer interface{}) {
	log.SetOutput(io.Discard)
	var c TemplateCase
	if err := json.Unmarshal(question, &c); err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "helm-oracle-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	defer func() {
		if r := recover(); r != nil {
			answer = TemplateResult{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	writeTree(dir, c.Files)
	fail := func(err error) interface{} {
		return TemplateResult{Error: strings.ReplaceAll(err.Error(), dir, "ROOT")}
	}
	ch, err := loader.Load(filepath.Join(dir, "chart"))
	if err != nil {
		return fail(err)
	}
	if required := ch.Metadata.Dependencies; required != nil {
		if err := action.CheckDependencies(ch, required); err != nil {
			return fail(err)
		}
	}
	install := action.NewInstall(&action.Configuration{Log: func(string, ...interface{}) {}})
	install.DryRun = true
	install.DryRunOption = "true"
	install.ClientOnly = true
	install.Replace = true
	install.IncludeCRDs = true
	install.ReleaseName = "rel"
	install.Namespace = "ns"
	install.KubeVersion = &chartutil.KubeVersion{Version: "v1.35.0", Major: "1", Minor: "35"}
	if c.Values == nil {
		c.Values = map[string]interface{}{}
	}
	release, err := install.Run(ch, c.Values)
	if err != nil {
		return fail(err)
	}
	var out strings.Builder
	fmt.Fprintln(&out, strings.TrimSpace(release.Manifest))
	for _, hook := range release.Hooks {
		fmt.Fprintf(&out, "---\n# Source: %s\n%s\n", hook.Path, hook.Manifest)
	}
	return TemplateResult{Out: out.String(), Notes: release.Info.Notes}
}
