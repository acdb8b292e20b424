// Answers what gojsonschema makes of a schema and a value: one JSON object a line on stdin, one answer a line on stdout. A schema that refers to itself
// without an end ends the process with a stack overflow.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/xeipuuv/gojsonschema"
)

// Question has a schema, and a value that is checked against it.
type Question struct {
	Schema json.RawMessage `json:"schema"`
	Value  json.RawMessage `json:"value"`
}

// Answer says whether the value is valid, or why the schema is not.
type Answer struct {
	Out   string `json:"out,omitempty"`
	Error string `json:"error,omitempty"`
}

func answer(question Question) Answer {
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(question.Schema))
	if err != nil {
		return Answer{Error: err.Error()}
	}
	result, err := schema.Validate(gojsonschema.NewBytesLoader(question.Value))
	if err != nil {
		return Answer{Error: err.Error()}
	}
	if result.Valid() {
		return Answer{Out: "valid"}
	}
	return Answer{Out: "invalid"}
}

func main() {
	debug.SetMaxStack(16 << 20)
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
		if err := output.Encode(answer(question)); err != nil {
			os.Exit(1)
		}
	}
}
