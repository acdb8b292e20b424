// Answers questions on the spiff language: one JSON object a line on stdin, one answer a line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"runtime/debug"

	"github.com/mandelsoft/spiff/dynaml"
	"github.com/mandelsoft/spiff/features"
	"github.com/mandelsoft/spiff/flow"
	"github.com/mandelsoft/spiff/yaml"
	"github.com/mandelsoft/vfs/pkg/memoryfs"
	"github.com/mandelsoft/vfs/pkg/vfs"
)

// Document is a YAML text with the name that messages call it by.
type Document struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Question is a merge of a template with stubs, or YAML that is only to be printed again.
type Question struct {
	Template          *Document         `json:"template,omitempty"`
	Stubs             []Document        `json:"stubs,omitempty"`
	Bindings          *Document         `json:"bindings,omitempty"`
	Files             map[string]string `json:"files,omitempty"`
	Features          []string          `json:"features,omitempty"`
	Partial           bool              `json:"partial,omitempty"`
	PreserveEscapes   bool              `json:"preserveEscapes,omitempty"`
	PreserveTemporary bool              `json:"preserveTemporary,omitempty"`
	Print             *string           `json:"print,omitempty"`
}

// Output is one document of the result.
type Output struct {
	Yaml string `json:"yaml"`
	Json string `json:"json"`
	// JsonError says why there is no JSON.
	JsonError string `json:"jsonError,omitempty"`
}

// Answer holds what came out, or the error's text.
type Answer struct {
	Documents []Output `json:"documents,omitempty"`
	State     *Output  `json:"state,omitempty"`
	Error     *string  `json:"error,omitempty"`
}

func failed(format string, args ...interface{}) Answer {
	text := fmt.Sprintf(format, args...)
	return Answer{Error: &text}
}

func print(node yaml.Node) (Output, error) {
	text, err := yaml.Marshal(node)
	if err != nil {
		return Output{}, err
	}
	asJson, err := yaml.ToJSON(node)
	if err != nil {
		return Output{Yaml: string(text), JsonError: err.Error()}, nil
	}
	return Output{Yaml: string(text), Json: string(asJson)}, nil
}

// Functions that reach this machine, which the engine's own environment would let them do.
var hostFunctions = regexp.MustCompile(`\b(exec|pipe|env|read|write|mkdir|tempfile|lookup_|list_files|list_dirs)`)

func reachesHost(question Question) bool {
	for _, document := range append(question.Stubs, *question.Template) {
		if hostFunctions.MatchString(document.Text) {
			return true
		}
	}
	return false
}

func newBinding(question Question, isStream bool) (dynaml.Binding, error) {
	isPlain := question.Bindings == nil && len(question.Files) == 0 && len(question.Features) == 0
	if isPlain && !isStream && !reachesHost(question) {
		// As the command line has it: an environment without bindings would be another outermost scope.
		return nil, nil
	}
	files := memoryfs.New()
	for name, content := range question.Files {
		if err := files.MkdirAll(path.Dir(name), 0o755); err != nil {
			return nil, err
		}
		if err := vfs.WriteFile(files, name, []byte(content), 0o644); err != nil {
			return nil, err
		}
	}
	flags := features.FeatureFlags{}
	for _, name := range question.Features {
		if err := flags.Set(name, true); err != nil {
			return nil, err
		}
	}
	// No access to processes; the only files are those in memory.
	state := flow.NewState("oracle", flow.MODE_FILE_ACCESS, files).SetFeatures(flags)
	binding := flow.NewEnvironment(nil, "context", state)
	if question.Bindings == nil {
		return binding, nil
	}
	values, err := yaml.Unmarshal(question.Bindings.Name, []byte(question.Bindings.Text))
	if err != nil {
		return nil, fmt.Errorf("error parsing bindings file [%s]: %s", question.Bindings.Name, err)
	}
	fields, ok := values.Value().(map[string]yaml.Node)
	if !ok {
		return nil, fmt.Errorf("bindings must be given as map")
	}
	return binding.WithLocalScope(fields), nil
}

func answer(question Question) (result Answer) {
	defer func() {
		if reason := recover(); reason != nil {
			result = failed("panic: %v", reason)
		}
	}()
	if question.Print != nil {
		node, err := yaml.Unmarshal("value", []byte(*question.Print))
		if err != nil {
			return failed("%s", err)
		}
		output, err := print(node)
		if err != nil {
			return failed("%s", err)
		}
		return Answer{Documents: []Output{output}}
	}
	templates, err := yaml.UnmarshalMulti(question.Template.Name, []byte(question.Template.Text))
	if err != nil {
		return failed("error parsing template [%s]: %s", question.Template.Name, err)
	}
	binding, err := newBinding(question, len(templates) > 1)
	if err != nil {
		return failed("%s", err)
	}
	var stubs []yaml.Node
	for _, stub := range question.Stubs {
		node, err := yaml.Unmarshal(stub.Name, []byte(stub.Text))
		if err != nil {
			return failed("error parsing stub [%s]: %s", stub.Name, err)
		}
		stubs = append(stubs, node)
	}
	prepared, err := flow.PrepareStubs(binding, question.Partial, stubs...)
	if err != nil {
		return failed("%s", err)
	}
	options := flow.Options{
		PreserveEscapes:   question.PreserveEscapes,
		PreserveTemporary: question.PreserveTemporary,
		Partial:           question.Partial,
	}
	for _, template := range templates {
		if template.Value() == nil {
			result.Documents = append(result.Documents, Output{Yaml: "", Json: "null"})
			continue
		}
		merged, err := flow.Apply(binding, template, prepared, options)
		if err != nil && !question.Partial {
			return failed("%s", err)
		}
		if len(templates) > 1 {
			flow.PushDocument(binding, merged)
		}
		if merged.Temporary() && !question.PreserveTemporary {
			continue
		}
		if state := flow.DetermineState(merged); state != nil && state.Value() != nil {
			printed, err := print(state)
			if err != nil {
				return failed("%s", err)
			}
			result.State = &printed
		}
		output, err := print(flow.Cleanup(merged, discardTemporary(question)))
		if err != nil {
			return failed("%s", err)
		}
		result.Documents = append(result.Documents, output)
	}
	return result
}

func discardTemporary(question Question) flow.CleanupFunction {
	var keep flow.CleanupFunction
	keep = func(node yaml.Node) (yaml.Node, flow.CleanupFunction) {
		if !question.PreserveTemporary && node.Temporary() {
			return nil, nil
		}
		return node, keep
	}
	return keep
}

func main() {
	// Endless recursion ends soon, not when a gigabyte is full.
	debug.SetMaxStack(1 << 26)
	if len(os.Args) > 1 && os.Args[1] == "time" {
		timeQuestions()
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	results := json.NewEncoder(os.Stdout)
	results.SetEscapeHTML(false)
	for lines.Scan() {
		var question Question
		if err := json.Unmarshal(lines.Bytes(), &question); err != nil {
			panic(err)
		}
		unwatch := watch()
		result := answer(question)
		unwatch()
		if err := results.Encode(result); err != nil {
			panic(err)
		}
	}
}
