package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// Reading is a text to read as YAML or JSON; the result is the JSON of what it says.
type Reading struct {
	FromYaml *string `json:"fromYaml,omitempty"`
	// Strict refuses repeated keys in FromYaml.
	Strict bool `json:"strict,omitempty"`
	// FromYamlBytes is base64, for texts that are no UTF-8.
	FromYamlBytes []byte `json:"fromYamlBytes,omitempty"`
	// YamlStream gives all documents of a text as a list.
	YamlStream *string `json:"yamlStream,omitempty"`
	FromJson   *string `json:"fromJson,omitempty"`
	// FromJsonBytes is base64, for texts that are no UTF-8.
	FromJsonBytes []byte `json:"fromJsonBytes,omitempty"`
}

func (r Reading) readsText() bool {
	return r.FromYaml != nil || r.FromYamlBytes != nil || r.YamlStream != nil || r.FromJson != nil || r.FromJsonBytes != nil
}

func (r Reading) read() (value interface{}, err error) {
	switch {
	case r.FromYaml != nil && r.Strict:
		err = yaml.UnmarshalStrict([]byte(*r.FromYaml), &value)
	case r.FromYaml != nil:
		err = yaml.Unmarshal([]byte(*r.FromYaml), &value)
	case r.FromYamlBytes != nil:
		err = yaml.Unmarshal(r.FromYamlBytes, &value)
	case r.YamlStream != nil:
		return readStream(*r.YamlStream)
	case r.FromJson != nil:
		err = json.Unmarshal([]byte(*r.FromJson), &value)
	default:
		err = json.Unmarshal(r.FromJsonBytes, &value)
	}
	return value, err
}

func readStream(text string) (interface{}, error) {
	documents := []interface{}{}
	for decoder := goyaml.NewDecoder(strings.NewReader(text)); ; {
		var value, plain interface{}
		if err := decoder.Decode(&value); err == io.EOF {
			return documents, nil
		} else if err != nil {
			return nil, err
		}
		if text, err := goyaml.Marshal(value); err != nil {
			return nil, err
		} else if err := yaml.Unmarshal(text, &plain); err != nil {
			return nil, err
		}
		documents = append(documents, plain)
	}
}

func fromResult(value interface{}, err error) Result {
	text := ""
	if err != nil {
		text = fmt.Sprint(err)
		return Result{Err: &text}
	}
	b, err := json.Marshal(value)
	if err != nil {
		return fromResult(nil, err)
	}
	text = string(b)
	return Result{Out: &text}
}
