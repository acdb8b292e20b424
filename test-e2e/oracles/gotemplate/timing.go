package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"text/template"
	"time"
)

// A line of the time mode: a template to load (template and data), or one that was loaded to run for a while.
type timingRequest struct {
	Name         string          `json:"name"`
	Template     string          `json:"template,omitempty"`
	Data         json.RawMessage `json:"data,omitempty"`
	Milliseconds float64         `json:"milliseconds,omitempty"`
}

type timingAnswer struct {
	Out *string `json:"out,omitempty"`
	// Nanoseconds of one parse (load) or of one execution (run).
	Nanoseconds float64 `json:"nanoseconds,omitempty"`
	Error       string  `json:"error,omitempty"`
}

type loadedTemplate struct {
	tree *template.Template
	data interface{}
}

var allFuncs = funcs()

func parseTimed(name, text string) (*template.Template, error) {
	t := template.New(name)
	f := template.FuncMap{}
	f["include"] = func(name string, data interface{}) (string, error) {
		var buf bytes.Buffer
		err := t.ExecuteTemplate(&buf, name, data)
		return buf.String(), err
	}
	return t.Funcs(allFuncs).Funcs(f).Option("missingkey=zero").Parse(text)
}

// Repeats for the given time and gives the nanoseconds of one turn.
func repeatFor(milliseconds float64, turn func() error) (float64, error) {
	limit := time.Duration(milliseconds * float64(time.Millisecond))
	started := time.Now()
	for count := 1; ; count++ {
		if err := turn(); err != nil {
			return 0, err
		}
		if elapsed := time.Since(started); elapsed >= limit {
			return float64(elapsed.Nanoseconds()) / float64(count), nil
		}
	}
}

func (l *loadedTemplate) execute(buf *bytes.Buffer) error {
	buf.Reset()
	return l.tree.Execute(buf, l.data)
}

func answerTiming(loaded map[string]*loadedTemplate, r timingRequest) (timingAnswer, error) {
	if r.Template == "" {
		l := loaded[r.Name]
		var buf bytes.Buffer
		ns, err := repeatFor(r.Milliseconds, func() error { return l.execute(&buf) })
		return timingAnswer{Nanoseconds: ns}, err
	}
	var data interface{}
	if err := json.Unmarshal(r.Data, &data); err != nil {
		return timingAnswer{}, err
	}
	tree, err := parseTimed(r.Name, r.Template)
	if err != nil {
		return timingAnswer{}, err
	}
	l := &loadedTemplate{tree, data}
	loaded[r.Name] = l
	var buf bytes.Buffer
	if err := l.execute(&buf); err != nil {
		return timingAnswer{}, err
	}
	out := buf.String()
	ns, err := repeatFor(r.Milliseconds, func() error { _, err := parseTimed(r.Name, r.Template); return err })
	return timingAnswer{Out: &out, Nanoseconds: ns}, err
}

// Measures templates: one JSON line in, one out, so that the caller can take turns with another engine.
func timeTemplates() {
	loaded := map[string]*loadedTemplate{}
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<28)
	enc := json.NewEncoder(os.Stdout)
	enc.SetEscapeHTML(false)
	for sc.Scan() {
		var r timingRequest
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			panic(err)
		}
		a, err := answerTiming(loaded, r)
		if err != nil {
			a.Error = fmt.Sprint(err)
		}
		enc.Encode(a)
	}
}
