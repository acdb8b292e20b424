package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"text/template"
	"time"

	"github.com/Masterminds/sprig/v3"
	"sigs.k8s.io/yaml"
)

type Case struct {
	Template   string          `json:"template,omitempty"`
	MissingKey string          `json:"missingKey,omitempty"`
	Delimiters []string        `json:"delimiters,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
	ToYaml     json.RawMessage `json:"toYaml,omitempty"`
	ToJson     json.RawMessage `json:"toJson,omitempty"`
	// Certificates are PEM blocks to check: see checkCertificates.
	Certificates *string `json:"certificates,omitempty"`
	Reading
}

type Result struct {
	Out *string `json:"out,omitempty"`
	Err *string `json:"error,omitempty"`
}

func fixed() time.Time { return time.Date(2024, 2, 29, 13, 4, 5, 678000000, time.UTC) }

func funcs() template.FuncMap {
	f := sprig.TxtFuncMap()
	delete(f, "env")
	delete(f, "expandenv")
	delete(f, "getHostByName")
	f["now"] = fixed
	f["toYaml"] = func(v interface{}) (string, error) {
		b, err := yaml.Marshal(v)
		return strings.TrimSuffix(string(b), "\n"), err
	}
	f["fromYaml"] = func(s string) (interface{}, error) {
		var v interface{}
		err := yaml.Unmarshal([]byte(s), &v)
		return v, err
	}
	return f
}

func run(c Case, base interface{}) (res Result) {
	fail := func(e interface{}) Result { s := fmt.Sprint(e); return Result{Err: &s} }
	ok := func(s string) Result { return Result{Out: &s} }
	defer func() {
		if r := recover(); r != nil {
			res = fail(r)
		}
	}()
	switch {
	case c.Certificates != nil:
		text, err := checkCertificates(*c.Certificates)
		if err != nil {
			return fail(err)
		}
		return ok(text)
	case c.readsText():
		return fromResult(c.read())
	case c.ToYaml != nil:
		var v interface{}
		if err := json.Unmarshal(c.ToYaml, &v); err != nil {
			return fail(err)
		}
		b, err := yaml.Marshal(v)
		if err != nil {
			return fail(err)
		}
		return ok(string(b))
	case c.ToJson != nil:
		var v interface{}
		if err := json.Unmarshal(c.ToJson, &v); err != nil {
			return fail(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			return fail(err)
		}
		return ok(string(b))
	}
	t := template.New("t").Funcs(funcs())
	if len(c.Delimiters) == 2 {
		t.Delims(c.Delimiters[0], c.Delimiters[1])
	}
	mk := c.MissingKey
	if mk == "" {
		mk = "zero"
	}
	t.Option("missingkey=" + mk)
	if _, err := t.Parse(c.Template); err != nil {
		return fail(err)
	}
	var data interface{}
	if c.Data != nil {
		json.Unmarshal(c.Data, &data)
	} else {
		b, _ := json.Marshal(base)
		json.Unmarshal(b, &data)
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, data); err != nil {
		return fail(err)
	}
	return ok(buf.String())
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "time" {
		timeTemplates()
		return
	}
	var base interface{}
	if len(os.Args) > 1 {
		b, err := os.ReadFile(os.Args[1])
		if err != nil {
			panic(err)
		}
		if err := json.Unmarshal(b, &base); err != nil {
			panic(err)
		}
	}
	// Values that hold themselves end soon, not when a gigabyte is full.
	debug.SetMaxStack(1 << 26)
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<28)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for sc.Scan() {
		var c Case
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			panic(err)
		}
		unwatch := watch()
		result := run(c, base)
		unwatch()
		enc.Encode(result)
	}
}
