package openfga

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Limits of one call. An answer that exceeds them is an error.
const (
	checkTimeout = 2 * time.Second  // a person waits for it
	syncTimeout  = 10 * time.Second // nobody waits
	maxAnswer    = 1 << 20
)

// Config says where an OpenFGA server is.
type Config struct {
	URL   string // http(s)://host:port, with a path if a proxy needs one
	Store string // id of the store; "" only for Init
	Model string // id of the authorization model; "" for the store's newest
	Token string // pre-shared key, sent as bearer token; "" for none
}

// storeID matches the ids of stores and models (ULIDs). Ids become part of addresses, so nothing else is accepted.
var storeID = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{26}$`)

// client makes the few calls of OpenFGA's HTTP API that Sanad needs.
type client struct {
	base, store, model, token string
	http                      *http.Client
}

func newClient(c Config) (*client, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return nil, domain.Refuse(domain.Invalid, "", "refused_address_openfga_must")
	}
	if strings.ContainsFunc(c.Token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, domain.Refuse(domain.Invalid, "", "refused_token_openfga_must")
	}
	if c.Model != "" && !storeID.MatchString(c.Model) {
		return nil, domain.Refuse(domain.Invalid, "", "refused_id_openfga_model")
	}
	return &client{
		base: strings.TrimRight(u.String(), "/"), store: c.Store, model: c.Model, token: c.Token,
		http: &http.Client{Transport: transport(), CheckRedirect: noRedirects},
	}, nil
}

// transport bypasses proxies named in the environment: a proxy could read, and forge, every answer.
func transport() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil
	t.MaxIdleConnsPerHost = 64
	return t
}

// noRedirects refuses redirects: they may lead to a server that the operator did not name.
func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// call is one request.
type call struct {
	method, path string // below the base
	in, out      any    // JSON; nil for none
	timeout      time.Duration
	repeatable   bool // may be sent again if a reused connection was closed
}

// ofStore returns the path of a resource in the store.
func (c *client) ofStore(path string) string { return "/stores/" + c.store + path }

// do makes a call. Anything but 200 or 201 with JSON of the expected shape, within the limits, is an error.
func (c *client) do(ctx context.Context, k call) error {
	ctx, cancel := context.WithTimeout(ctx, k.timeout)
	defer cancel()
	req, err := c.request(ctx, k)
	if err != nil {
		return fault(k, err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fault(k, err)
	}
	defer resp.Body.Close() //nolint:errcheck // opened for reading only
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fault(k, err)
	case len(body) > maxAnswer:
		return fault(k, errors.New("the answer is too large"))
	case resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusCreated:
		return fault(k, fmt.Errorf("status %d, code %q", resp.StatusCode, codeOf(body)))
	case k.out == nil:
		return nil
	}
	if err := json.Unmarshal(body, k.out); err != nil {
		return fault(k, errors.New("the answer is not the JSON that was expected")) // err may quote the answer
	}
	return nil
}

func (c *client) request(ctx context.Context, k call) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if k.in != nil {
		data, err := json.Marshal(k.in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, k.method, c.base+k.path, body)
	if err != nil {
		return nil, err
	}
	if k.in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if k.repeatable {
		req.Header["Idempotency-Key"] = nil // tells net/http that it may retry; a nil header is not sent
	}
	return req, nil
}

// codeOf returns the code of OpenFGA's error object, truncated. The message is left out, since it may quote ids.
func codeOf(body []byte) string {
	var e struct {
		Code string `json:"code"`
	}
	_ = json.Unmarshal(body, &e) // a proxy's error page has no code
	return e.Code[:min(len(e.Code), 60)]
}

// fault returns an error whose cause is for the log; its Safe text only says that there is no answer.
func fault(k call, err error) error {
	last := k.path[strings.LastIndexByte(k.path, '/')+1:]
	return &domain.Error{Kind: domain.Unavailable, Op: "openfga " + k.method + " " + last,
		Message: words.Msg("refused_permissions_cannot_checked"), Err: err}
}
