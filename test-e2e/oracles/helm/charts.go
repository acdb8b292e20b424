package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/cli/values"
	"helm.sh/helm/v3/pkg/getter"
	"helm.sh/helm/v3/pkg/ignore"
	"helm.sh/helm/v3/pkg/strvals"
)

func init() {
	modes["charts"] = runChart
	modes["strvals"] = runStrvals
	modes["ignore"] = runIgnore
}

// TreeEntry is a file (text or base64), a symbolic link or an empty folder.
type TreeEntry struct {
	Text   *string `json:"text"`
	Base64 *string `json:"base64"`
	Link   *string `json:"link"`
	Folder bool    `json:"folder"`
}

// UnmarshalJSON takes a string for a text.
func (e *TreeEntry) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &e.Text)
	}
	type plain TreeEntry
	return json.Unmarshal(data, (*plain)(e))
}

// messages keeps what is logged, without times and levels.
type messages struct{ texts *[]string }

func (m messages) Enabled(context.Context, slog.Level) bool { return true }
func (m messages) Handle(_ context.Context, r slog.Record) error {
	*m.texts = append(*m.texts, strings.TrimSuffix(r.Message, "\n"))
	return nil
}
func (m messages) WithAttrs([]slog.Attr) slog.Handler { return m }
func (m messages) WithGroup(string) slog.Handler      { return m }

type ChartCase struct {
	// Files by path; the chart is at Root (default "chart").
	Files map[string]TreeEntry `json:"files"`
	Root  string               `json:"root"`
	// Archive is a packed chart instead, as base64.
	Archive *string `json:"archive"`
	// Flags of `helm template`; files are named as in Files.
	Flags *FlagCase `json:"flags"`
	// What to do with the loaded chart: check, process, coalesce, merge, schema, in this order.
	Steps []string `json:"steps"`
	// Dump of the chart beside the values.
	Show   []string `json:"show"`
	Limits *struct {
		File  int64 `json:"file"`
		Chart int64 `json:"chart"`
	} `json:"limits"`
}

type FlagCase struct {
	Files   []string `json:"files"`
	Set     []string `json:"set"`
	String  []string `json:"string"`
	JSON    []string `json:"json"`
	File    []string `json:"file"`
	Literal []string `json:"literal"`
}

type ChartResult struct {
	Error    string      `json:"error,omitempty"`
	At       string      `json:"at,omitempty"`
	Chart    interface{} `json:"chart,omitempty"`
	Values   interface{} `json:"values,omitempty"`
	Warnings []string    `json:"warnings,omitempty"`
}

// typed tells what JSON cannot: int64 from float64, and types that are neither.
func typed(value interface{}) interface{} {
	switch v := value.(type) {
	case nil, bool, string, float64:
		return v
	case int64:
		return map[string]string{"!int64": strconv.FormatInt(v, 10)}
	case int:
		return map[string]string{"!int": strconv.Itoa(v)}
	case json.Number:
		return map[string]string{"!number": v.String()}
	case chartutil.Values:
		return typed(map[string]interface{}(v))
	case map[string]interface{}:
		m := map[string]interface{}{}
		for k, item := range v {
			m[k] = typed(item)
		}
		return m
	case []interface{}:
		l := make([]interface{}, len(v))
		for i, item := range v {
			l[i] = typed(item)
		}
		return l
	default:
		return map[string]string{"!type": fmt.Sprintf("%T", v)}
	}
}

func dumpFiles(files []*chart.File) map[string]string {
	m := map[string]string{}
	for _, f := range files {
		m[f.Name] = base64.StdEncoding.EncodeToString(f.Data)
	}
	return m
}

func dumpChart(c *chart.Chart, show map[string]bool) map[string]interface{} {
	m := map[string]interface{}{"fullPath": c.ChartFullPath()}
	if show["metadata"] {
		b, err := json.Marshal(c.Metadata)
		if err != nil {
			panic(err)
		}
		m["metadata"] = json.RawMessage(b)
		if c.Lock != nil {
			m["lock"] = c.Lock
		}
	}
	if show["values"] {
		m["values"] = typed(c.Values)
	}
	if show["files"] {
		m["templates"] = dumpFiles(c.Templates)
		m["files"] = dumpFiles(c.Files)
		m["raw"] = dumpFiles(c.Raw)
		if c.Schema != nil {
			m["schema"] = string(c.Schema)
		}
	}
	if show["crds"] && c.IsRoot() {
		crds := []string{}
		for _, crd := range c.CRDObjects() {
			crds = append(crds, crd.Name+" "+crd.Filename)
		}
		m["crds"] = crds
	}
	deps := []interface{}{}
	// The loader's order is that of a Go map.
	list := append([]*chart.Chart{}, c.Dependencies()...)
	if show["sorted"] {
		sort.SliceStable(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	}
	for _, d := range list {
		deps = append(deps, dumpChart(d, show))
	}
	m["dependencies"] = deps
	return m
}

func writeTree(dir string, files map[string]TreeEntry) {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	for name, entry := range files {
		target := filepath.Join(dir, name)
		must(os.MkdirAll(filepath.Dir(target), 0o755))
		switch {
		case entry.Folder:
			must(os.MkdirAll(target, 0o755))
		case entry.Link != nil:
			must(os.Symlink(*entry.Link, target))
		case entry.Base64 != nil:
			data, err := base64.StdEncoding.DecodeString(*entry.Base64)
			must(err)
			must(os.WriteFile(target, data, 0o644))
		default:
			must(os.WriteFile(target, []byte(*entry.Text), 0o644))
		}
	}
}

func runChart(question []byte) interface{} {
	var c ChartCase
	if err := json.Unmarshal(question, &c); err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "helm-oracle-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	writeTree(dir, c.Files)
	warnings := []string{}
	// What the log package is told comes here as well.
	slog.SetDefault(slog.New(messages{&warnings}))
	log.SetFlags(0)
	if c.Limits != nil {
		loader.MaxDecompressedFileSize = c.Limits.File
		loader.MaxDecompressedChartSize = c.Limits.Chart
	}
	res := chartSteps(c, dir)
	loader.MaxDecompressedFileSize = 5 << 20
	loader.MaxDecompressedChartSize = 100 << 20
	clean := func(s string) string { return strings.ReplaceAll(s, dir, "ROOT") }
	res.Error = clean(res.Error)
	for _, text := range warnings {
		res.Warnings = append(res.Warnings, clean(text))
	}
	sort.Strings(res.Warnings)
	return res
}

func chartSteps(c ChartCase, dir string) (res *ChartResult) {
	res = &ChartResult{}
	at := "load"
	defer func() {
		if r := recover(); r != nil {
			res.At, res.Error = at, fmt.Sprintf("panic: %v", r)
		}
	}()
	fail := func(err error) *ChartResult {
		res.At, res.Error = at, err.Error()
		return res
	}
	root := c.Root
	if root == "" {
		root = "chart"
	}
	var ch *chart.Chart
	var err error
	if c.Archive != nil {
		data, decodeErr := base64.StdEncoding.DecodeString(*c.Archive)
		if decodeErr != nil {
			panic(decodeErr)
		}
		ch, err = loader.LoadArchive(bytes.NewReader(data))
	} else if root != "-" {
		ch, err = loader.Load(filepath.Join(dir, root))
	}
	if err != nil {
		return fail(err)
	}
	vals := map[string]interface{}{}
	if c.Flags != nil {
		at = "flags"
		f := c.Flags
		inTree := func(names []string) []string {
			paths := []string{}
			for _, name := range names {
				paths = append(paths, filepath.Join(dir, name))
			}
			return paths
		}
		withFiles := func(sets []string) []string {
			paths := []string{}
			for _, set := range sets {
				paths = append(paths, strings.ReplaceAll(set, "ROOT", dir))
			}
			return paths
		}
		options := values.Options{ValueFiles: inTree(f.Files), Values: f.Set, StringValues: f.String, JSONValues: f.JSON, FileValues: withFiles(f.File), LiteralValues: f.Literal}
		vals, err = options.MergeValues(getter.Providers{})
		if err != nil {
			return fail(err)
		}
	}
	show := map[string]bool{}
	for _, s := range c.Show {
		show[s] = true
	}
	for _, step := range c.Steps {
		at = step
		switch step {
		case "check":
			if req := ch.Metadata.Dependencies; req != nil {
				err = action.CheckDependencies(ch, req)
			}
		case "process":
			err = chartutil.ProcessDependenciesWithMerge(ch, vals)
		case "processOld":
			err = chartutil.ProcessDependencies(ch, vals)
		case "coalesce":
			vals, err = chartutil.CoalesceValues(ch, vals)
		case "merge":
			vals, err = chartutil.MergeValues(ch, vals)
		case "schema":
			err = chartutil.ValidateAgainstSchema(ch, vals)
		case "render":
			top, renderErr := chartutil.ToRenderValues(ch, vals, chartutil.ReleaseOptions{Name: "rel", Namespace: "ns"}, nil)
			err = renderErr
			if err == nil {
				vals = top["Values"].(chartutil.Values)
			}
		default:
			panic("no such step: " + step)
		}
		if err != nil {
			return fail(err)
		}
	}
	if ch != nil {
		res.Chart = dumpChart(ch, show)
	}
	if c.Flags != nil || len(c.Steps) > 0 {
		res.Values = typed(vals)
	}
	return res
}

type StrvalsCase struct {
	Kind string                 `json:"kind"`
	Text string                 `json:"text"`
	Into map[string]interface{} `json:"into"`
}

func runStrvals(question []byte) (answer interface{}) {
	var c StrvalsCase
	if err := json.Unmarshal(question, &c); err != nil {
		panic(err)
	}
	defer func() {
		if r := recover(); r != nil {
			answer = &ChartResult{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	if c.Into == nil {
		c.Into = map[string]interface{}{}
	}
	var err error
	switch c.Kind {
	case "set":
		err = strvals.ParseInto(c.Text, c.Into)
	case "string":
		err = strvals.ParseIntoString(c.Text, c.Into)
	case "json":
		err = strvals.ParseJSON(c.Text, c.Into)
	case "literal":
		err = strvals.ParseLiteralInto(c.Text, c.Into)
	case "file":
		err = strvals.ParseIntoFile(c.Text, c.Into, func(name []rune) (interface{}, error) {
			if strings.HasPrefix(string(name), "missing") {
				return nil, fmt.Errorf("no file %s", string(name))
			}
			return "content of " + string(name), nil
		})
	default:
		panic("no such kind: " + c.Kind)
	}
	if err != nil {
		return &ChartResult{Error: err.Error(), Values: typed(c.Into)}
	}
	return &ChartResult{Values: typed(c.Into)}
}

type IgnoreCase struct {
	Rules string `json:"rules"`
	// Paths; folders end in "/".
	Paths []string `json:"paths"`
}

type fakeInfo struct {
	os.FileInfo
	dir bool
}

func (f fakeInfo) IsDir() bool { return f.dir }

func runIgnore(question []byte) interface{} {
	var c IgnoreCase
	if err := json.Unmarshal(question, &c); err != nil {
		panic(err)
	}
	rules, err := ignore.Parse(strings.NewReader(c.Rules))
	if err != nil {
		return map[string]interface{}{"error": err.Error()}
	}
	rules.AddDefaults()
	ignored := []string{}
	for _, path := range c.Paths {
		name := strings.TrimSuffix(path, "/")
		info := fakeInfo{dir: name != path}
		if rules.Ignore(name, info) {
			ignored = append(ignored, path)
		}
	}
	return map[string]interface{}{"ignored": ignored}
}
