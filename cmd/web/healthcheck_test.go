package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealthcheck(t *testing.T) {
	served := serveWith(t, nil)
	addr := strings.TrimPrefix(served.url, "http://")
	_, port, _ := strings.Cut(addr, ":")
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			http.Error(w, "the disk is full", http.StatusServiceUnavailable)
		}
	}))
	defer sick.Close()
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"ready":                    {args: []string{"--addr", addr}},
		"listening on all":         {args: []string{"--addr", "0.0.0.0:" + port}},
		"listening on all, short":  {args: []string{"--addr", ":" + port}},
		"alive":                    {args: []string{"--addr", addr, "--alive"}},
		"not there":                {args: []string{"--addr", gone.Listener.Addr().String()}, code: 1, says: "refused"},
		"not ready":                {args: []string{"--addr", sick.Listener.Addr().String()}, code: 1, says: "the disk is full"},
		"not ready, but alive":     {args: []string{"--addr", sick.Listener.Addr().String(), "--alive"}},
		"no TLS where it is asked": {args: []string{"--addr", addr, "--tls-cert", "x"}, code: 1, says: "HTTP"},
		"no address":               {args: []string{"--addr", "here"}, code: 1, says: "--addr"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, errs := call(t, "", append([]string{"healthcheck"}, c.args...)...)
			require.Equal(t, c.code, code, errs)
			require.Contains(t, errs, c.says)
		})
	}
}
