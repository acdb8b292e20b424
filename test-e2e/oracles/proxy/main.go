// Answers which proxy the package behind Go's http.ProxyFromEnvironment chooses, which Kubernetes' clients use: one JSON object a line on stdin, one answer a
// line on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"

	"golang.org/x/net/http/httpproxy"
)

// Question has the variables of a process, and a URL that it requests.
type Question struct {
	Environment map[string]string `json:"environment"`
	URL         string            `json:"url"`
}

// Answer is the URL of the proxy, or "direct".
type Answer struct {
	Out   string `json:"out,omitempty"`
	Error string `json:"error,omitempty"`
}

func answer(question Question) Answer {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"} {
		os.Setenv(name, question.Environment[name])
	}
	to, err := url.Parse(question.URL)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	proxy, err := httpproxy.FromEnvironment().ProxyFunc()(to)
	if err != nil {
		return Answer{Error: err.Error()}
	}
	if proxy == nil {
		return Answer{Out: "direct"}
	}
	return Answer{Out: proxy.String()}
}

func main() {
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
