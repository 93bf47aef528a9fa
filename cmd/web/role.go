package main

import (
	"errors"
	"net/http"

	"github.com/spf13/cobra"
)

// role is what a process does where several share one store.
type role string

const (
	roleAll    role = "all"
	roleWeb    role = "web"    // answers requests, and takes no jobs
	roleWorker role = "worker" // takes jobs and does what is done in the background
)

// processFlag says what the process does.
type processFlag struct{ name string }

func (f *processFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "role", string(roleAll),
		"what this process does: web answers requests; worker takes jobs, sends mails and webhooks, checks contents and "+
			"erases, and answers /healthz, /readyz and /metrics only; all does both")
}

// read checks the flag; the demo has none and does everything.
func (f *processFlag) read() (role, error) {
	switch r := role(f.name); r {
	case "":
		return roleAll, nil
	case roleAll, roleWeb, roleWorker:
		return r, nil
	}
	return "", errors.New("--role is web, worker or all")
}

func (r role) works() bool { return r != roleWeb }

// handler returns what the process answers: everything, or in a worker only what its operator asks for.
func (r role) handler(all http.Handler) http.Handler {
	if r != roleWorker {
		return all
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch req.URL.Path {
		case "/healthz", "/readyz", "/metrics":
			all.ServeHTTP(w, req)
		default:
			http.Error(w, "This process is a worker; it has no pages.", http.StatusNotFound)
		}
	})
}
