package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"sanad/internal/lake"
)

func (d *doctor) buckets() {
	if d.c.bucket != "" {
		d.place("bucket", d.c.bucket)
	}
	if d.c.lake != "" {
		d.place("lake", d.c.lake)
	}
	if strings.Contains(d.c.files, "://") {
		d.place("files", d.c.files)
	} else if d.c.files != "" {
		d.folder("files", d.c.files, true)
	}
}

// place asks for a folder or bucket named by a URL. Its error holds no credentials, but its address may.
func (d *doctor) place(check, address string) {
	const mend = "check its name, endpoint, region and the credentials (docs/operating.md), and that this machine reaches it"
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	place, _, _ := strings.Cut(address, "?")
	l, err := lake.Open(ctx, address, "")
	if err != nil {
		d.fault(check, mend, "%s: %v", place, err)
		return
	}
	if err := errors.Join(l.Ready(ctx), l.Close()); err != nil {
		d.fault(check, mend, "%s cannot be reached: %v", place, err)
		return
	}
	d.ok(check, "%s", place)
}

// openID asks the provider for its description, as the first login does.
func (d *doctor) openID() {
	const check, mend = "OpenID Connect", "check --oidc-issuer, and that this machine reaches it"
	issuer := d.c.oidc.issuer
	if issuer == "" {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	var about struct {
		Issuer string `json:"issuer"`
	}
	err := getJSON(ctx, strings.TrimSuffix(issuer, "/")+"/.well-known/openid-configuration", &about)
	switch {
	case err != nil:
		d.fault(check, mend, "%s: %v", issuer, err)
	case about.Issuer != issuer:
		d.fault(check, "give --oidc-issuer exactly as the provider writes it", "%s calls itself %q", issuer, about.Issuer)
	default:
		d.ok(check, "%s", issuer)
	}
}

func getJSON(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(into)
}

func (d *doctor) openFGA() {
	const check = "OpenFGA"
	if d.c.openfga.url == "" {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorWait)
	defer cancel()
	p, err := newAuthorizer(d.c.openfga, slog.New(slog.DiscardHandler))
	if err != nil {
		return // configuration has said it
	}
	asked, ok := p.authorizer.(interface{ Ready(context.Context) error })
	if !ok {
		return
	}
	if err := asked.Ready(ctx); err != nil {
		d.fault(check, "start it, or prepare its store: sanad openfga init (docs/openfga.md)", "%s: %v", d.c.openfga.url,
			explained(cause(err)))
		return
	}
	d.ok(check, "%s", d.c.openfga.url)
}
