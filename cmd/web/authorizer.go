package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/openfga"
)

// openfgaFlags configure the OpenFGA server, if one is used.
type openfgaFlags struct {
	url, store, model, tokenFile string
}

func (f *openfgaFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "openfga-url", "",
		"address of an OpenFGA server that is asked before anything is allowed (default: roles alone decide)")
	cmd.Flags().StringVar(&f.store, "openfga-store", "", "id of the store in OpenFGA, as sanad openfga init printed it")
	cmd.Flags().StringVar(&f.model, "openfga-model", "",
		"id of the authorization model in OpenFGA (default: the store's newest)")
	cmd.Flags().StringVar(&f.tokenFile, "openfga-token-file", "", "file with the key that OpenFGA asks for")
}

// config reads the flags and the token file.
func (f *openfgaFlags) config() (openfga.Config, error) {
	c := openfga.Config{URL: f.url, Store: f.store, Model: f.model}
	if f.url == "" {
		return c, errors.New("--openfga-url is needed: the address of the OpenFGA server")
	}
	if f.tokenFile == "" {
		return c, nil
	}
	token, err := os.ReadFile(f.tokenFile)
	if c.Token = strings.TrimSpace(string(token)); err == nil && c.Token == "" {
		err = fmt.Errorf("--openfga-token-file %s is empty", f.tokenFile)
	}
	return c, asFailure(err)
}

// permissions is the Authorizer and what must run beside the server for it.
type permissions struct {
	authorizer access.Authorizer
	// for db.Options.RolesChanged; nil if not needed
	changed func()
	follow  func(ctx context.Context, store *db.Store, l *slog.Logger) // returns when ctx ends
}

// newAuthorizer returns the built-in Authorizer, or the one that asks OpenFGA if a server is configured. It does not
// use the network: while OpenFGA is down, Sanad starts, denies, and reports that at /readyz.
func newAuthorizer(f openfgaFlags, log *slog.Logger) (permissions, error) {
	if f == (openfgaFlags{}) {
		return permissions{authorizer: access.ByRole{}, follow: func(context.Context, *db.Store, *slog.Logger) {}}, nil
	}
	c, err := f.config()
	if err != nil {
		return permissions{}, err
	}
	a, err := openfga.New(c)
	if err != nil {
		return permissions{}, err
	}
	if u, err := url.Parse(c.URL); err == nil && u.Scheme == "http" && !auth.IsLoopback(u.Hostname()) {
		log.Warn("OpenFGA is asked over plain HTTP: whoever is on the way can read the key and change the "+
			"answers; use https", "host", u.Host)
	}
	return permissions{authorizer: a, changed: a.Changed, follow: a.Follow}, nil
}
