package main

import (
	"encoding/json"
	"io"
	"log"
	"os"
	"time"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
)

func init() {
	modes["render"] = timeRender
	modes["kinds"] = func([]byte) interface{} {
		return map[string]interface{}{"install": releaseutil.InstallOrder, "uninstall": releaseutil.UninstallOrder}
	}
}

// RenderCase is a chart on disk that is rendered again and again.
type RenderCase struct {
	Chart string `json:"chart"`
	// Values is a file, or empty.
	Values       string `json:"values"`
	Milliseconds int    `json:"milliseconds"`
	// Cold loads the chart anew each time.
	Cold bool `json:"cold"`
	// Out asks for the rendered files instead of times.
	Out bool `json:"out"`
}

// RenderTimes are nanoseconds of one rendering.
type RenderTimes struct {
	Nanoseconds float64           `json:"nanoseconds"`
	Out         map[string]string `json:"out,omitempty"`
	Error       string            `json:"error,omitempty"`
}

var loadedCharts = map[string]*chart.Chart{}

func timeRender(question []byte) interface{} {
	log.SetOutput(io.Discard)
	var c RenderCase
	if err := json.Unmarshal(question, &c); err != nil {
		panic(err)
	}
	vals, err := readValues(c.Values)
	if err != nil {
		return RenderTimes{Error: err.Error()}
	}
	limit := time.Duration(c.Milliseconds) * time.Millisecond
	started := time.Now()
	for count := 1; ; count++ {
		out, err := renderOnce(c, vals)
		if err != nil {
			return RenderTimes{Error: err.Error()}
		}
		if c.Out {
			return RenderTimes{Out: out}
		}
		if elapsed := time.Since(started); elapsed >= limit {
			return RenderTimes{Nanoseconds: float64(elapsed.Nanoseconds()) / float64(count)}
		}
	}
}

func readValues(file string) (map[string]interface{}, error) {
	vals := map[string]interface{}{}
	if file == "" {
		return vals, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return vals, yaml.Unmarshal(data, &vals)
}

// What `helm template` does between reading files and printing: values, engine, manifests.
func renderOnce(c RenderCase, vals map[string]interface{}) (map[string]string, error) {
	ch := loadedCharts[c.Chart+"\n"+c.Values]
	if ch == nil || c.Cold {
		var err error
		if ch, err = loader.Load(c.Chart); err != nil {
			return nil, err
		}
		if err := chartutil.ProcessDependenciesWithMerge(ch, vals); err != nil {
			return nil, err
		}
		loadedCharts[c.Chart+"\n"+c.Values] = ch
	}
	caps := chartutil.DefaultCapabilities.Copy()
	caps.KubeVersion = chartutil.KubeVersion{Version: "v1.35.0", Major: "1", Minor: "35"}
	options := chartutil.ReleaseOptions{Name: "rel", Namespace: "ns", Revision: 1, IsInstall: true}
	top, err := chartutil.ToRenderValuesWithSchemaValidation(ch, vals, options, caps, true)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(ch, top)
	if err != nil {
		return nil, err
	}
	manifests := map[string]string{}
	for name, text := range files {
		if len(name) < 9 || name[len(name)-9:] != "NOTES.txt" {
			manifests[name] = text
		}
	}
	if _, _, err := releaseutil.SortManifests(manifests, nil, releaseutil.InstallOrder); err != nil {
		return nil, err
	}
	return files, nil
}
