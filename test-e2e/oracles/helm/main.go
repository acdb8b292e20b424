// Renders small charts with Helm's own engine: one JSON question on stdin, one JSON answer on stdout.
// usage: oracle CHART.json | oracle MODE      (modes are in the other files)
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
)

// ChartFile is a chart in the fixture: its metadata as in Chart.yaml, the files as base64.
type ChartFile struct {
	Metadata  *chart.Metadata        `json:"metadata"`
	Values    map[string]interface{} `json:"values"`
	Files     map[string]string      `json:"files"`
	Templates map[string]string      `json:"templates"`
	Charts    []*ChartFile           `json:"charts"`
}

// Case is a template of the fixture's chart, with more templates and other values where it needs them.
type Case struct {
	Template string                 `json:"template"`
	More     map[string]string      `json:"more"`
	Values   map[string]interface{} `json:"values"`
	Upgrade  bool                   `json:"upgrade"`
	// All asks for every rendered file, not for templates/a.yaml alone.
	All bool `json:"all"`
	// Capabilities asks for the default API versions instead.
	Capabilities bool `json:"capabilities"`
}

type Result struct {
	Out *string `json:"out,omitempty"`
	Err *string `json:"error,omitempty"`
}

func build(file *ChartFile) *chart.Chart {
	c := &chart.Chart{Metadata: file.Metadata, Values: file.Values}
	for _, name := range sortedKeys(file.Files) {
		data, err := base64.StdEncoding.DecodeString(file.Files[name])
		if err != nil {
			panic(err)
		}
		c.Files = append(c.Files, &chart.File{Name: name, Data: data})
	}
	for _, name := range sortedKeys(file.Templates) {
		c.Templates = append(c.Templates, &chart.File{Name: name, Data: []byte(file.Templates[name])})
	}
	for _, sub := range file.Charts {
		c.AddDependency(build(sub))
	}
	return c
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func run(fixture []byte, c Case) (res Result) {
	fail := func(e interface{}) Result { s := fmt.Sprint(e); return Result{Err: &s} }
	defer func() {
		if r := recover(); r != nil {
			res = fail(fmt.Sprintf("panic: %v", r))
		}
	}()
	kube := chartutil.KubeVersion{Version: "v1.35.0", Major: "1", Minor: "35"}
	caps := &chartutil.Capabilities{KubeVersion: kube, APIVersions: chartutil.DefaultVersionSet}
	caps.HelmVersion.Version = "v3.22.0"
	caps.HelmVersion.GoVersion = "go1.26.0"
	if c.Capabilities {
		s := strings.Join(caps.APIVersions, "\n")
		return Result{Out: &s}
	}
	var file ChartFile
	if err := json.Unmarshal(fixture, &file); err != nil {
		panic(err)
	}
	if file.Templates == nil {
		file.Templates = map[string]string{}
	}
	file.Templates["templates/a.yaml"] = c.Template
	for name, text := range c.More {
		file.Templates[name] = text
	}
	if c.Values != nil {
		file.Values = c.Values
	}
	ch := build(&file)
	options := chartutil.ReleaseOptions{Name: "rel", Namespace: "ns", Revision: 1, IsInstall: !c.Upgrade, IsUpgrade: c.Upgrade}
	vals, err := chartutil.ToRenderValues(ch, map[string]interface{}{}, options, caps)
	if err != nil {
		return fail(err)
	}
	rendered, err := engine.Render(ch, vals)
	if err != nil {
		return fail(err)
	}
	if !c.All {
		s := rendered[path.Join(ch.Name(), "templates/a.yaml")]
		return Result{Out: &s}
	}
	b, _ := json.Marshal(rendered)
	s := string(b)
	return Result{Out: &s}
}

// modes answer other kinds of questions; each file with one adds itself in init().
var modes = map[string]func(question []byte) interface{}{}

func main() {
	if mode, ok := modes[os.Args[1]]; ok {
		answer(mode)
		return
	}
	fixture, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	answer(func(question []byte) interface{} {
		var c Case
		if err := json.Unmarshal(question, &c); err != nil {
			panic(err)
		}
		return run(fixture, c)
	})
}

func answer(mode func(question []byte) interface{}) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<28)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		if err := out.Encode(mode(in.Bytes())); err != nil {
			panic(err)
		}
	}
}
