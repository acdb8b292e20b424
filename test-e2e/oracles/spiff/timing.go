package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/mandelsoft/spiff/flow"
	"github.com/mandelsoft/spiff/yaml"
)

// A line of the time mode: a template that is read and evaluated again and again for a while.
type timingQuestion struct {
	Template     Document `json:"template"`
	Milliseconds float64  `json:"milliseconds"`
}

type timingAnswer struct {
	// Of one evaluation, from text to value.
	Nanoseconds float64 `json:"nanoseconds,omitempty"`
	Error       string  `json:"error,omitempty"`
}

func evaluateOnce(template Document) error {
	node, err := yaml.Unmarshal(template.Name, []byte(template.Text))
	if err != nil {
		return err
	}
	prepared, err := flow.PrepareStubs(nil, false)
	if err != nil {
		return err
	}
	merged, err := flow.Apply(nil, node, prepared, flow.Options{})
	if err != nil {
		return err
	}
	_, err = yaml.Normalize(flow.Cleanup(merged, discardTemporary(Question{})))
	return err
}

func measure(question timingQuestion) timingAnswer {
	limit := time.Duration(question.Milliseconds * float64(time.Millisecond))
	started := time.Now()
	for count := 1; ; count++ {
		if err := evaluateOnce(question.Template); err != nil {
			return timingAnswer{Error: fmt.Sprint(err)}
		}
		if elapsed := time.Since(started); elapsed >= limit {
			return timingAnswer{Nanoseconds: float64(elapsed.Nanoseconds()) / float64(count)}
		}
	}
}

// timeQuestions measures: one JSON line in, one out, so that the caller can take turns with another engine.
func timeQuestions() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	results := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var question timingQuestion
		if err := json.Unmarshal(lines.Bytes(), &question); err != nil {
			panic(err)
		}
		if err := results.Encode(measure(question)); err != nil {
			panic(err)
		}
	}
}
