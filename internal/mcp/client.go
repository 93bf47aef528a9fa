package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sanad/internal/words"
)

// maxAnswer bounds, in bytes, what is read of one answer of the API.
const maxAnswer = 32 << 20

// ErrTooLong is the error of a RoundTripper that was sent more than it holds.
var ErrTooLong = fmt.Errorf("the answer has more than %d MiB", maxAnswer>>20)

// client calls Sanad's own API.
type client struct {
	http http.Client
	base func(context.Context) string
	wait time.Duration
}

// maxAddress bounds, in bytes, the address of a call: what the server takes of a request's head.
const maxAddress = 64 << 10

// get decodes the answer to a GET; query may be nil.
func (c *client) get(ctx context.Context, path string, query url.Values, into any) error {
	for name, values := range query {
		for _, v := range values {
			if len(v) > maxAddress {
				return &refused{status: http.StatusRequestURITooLong, problem: problem{Path: name,
					Detail: fmt.Sprintf("At most %d KiB are taken here; shorten it.", maxAddress>>10)}}
			}
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	_, err := c.call(ctx, http.MethodGet, path, nil, into)
	return err
}

// post sends a value as JSON, decodes the answer and returns its status.
func (c *client) post(ctx context.Context, path string, body, into any) (status int, err error) {
	return c.call(ctx, http.MethodPost, path, body, into)
}

func (c *client) call(ctx context.Context, method, path string, body, into any) (status int, err error) {
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return 0, fmt.Errorf("the arguments are not JSON: %w", err)
		}
		sent = bytes.NewReader(data)
	}
	r, err := http.NewRequestWithContext(ctx, method, c.base(ctx)+"/api/v1"+path, sent)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Accept", "application/json, application/problem+json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return 0, unreachable(ctx, err)
	}
	defer resp.Body.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return 0, unreachable(ctx, err)
	case len(data) > maxAnswer:
		return 0, tooLong()
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return resp.StatusCode, refusal(resp, data)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return 0, errors.New("the answer is not the JSON that the API sends; is this address a Sanad server?")
	}
	return resp.StatusCode, nil
}

// unreachable explains why there is no answer. It repeats neither headers nor bodies.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, ErrTooLong) {
		return tooLong()
	}
	return fmt.Errorf("the Sanad server did not answer: %w", err)
}

func tooLong() error {
	return fmt.Errorf("%w, the most that is read here; ask for less, or open the page in a browser", ErrTooLong)
}

// problem is what of RFC 9457's object, as the API sends it, is told.
type problem struct {
	Detail string `json:"detail"`
	Path   string `json:"path"`
	Errors []struct {
		Path   string `json:"path"`
		Detail string `json:"detail"`
	} `json:"errors"`
}

// maxFaults is how many of the faults that an answer lists are told.
const maxFaults = 20

// noAddress is what the API says of any address that has nothing for the caller.
var noAddress = words.Msg("refused_nothing_address").String()

// refused is an answer that is not a success.
type refused struct {
	problem
	status int
	after  string // Retry-After
}

func refusal(resp *http.Response, data []byte) error {
	out := &refused{status: resp.StatusCode, after: resp.Header.Get("Retry-After")}
	if json.Unmarshal(data, &out.problem) != nil {
		out.problem = problem{}
	}
	return out
}

// Error repeats the API's own words. Other servers' words, such as a proxy's page, are not repeated.
func (p *refused) Error() string {
	if p.Detail == "" {
		return fmt.Sprintf("the Sanad server answered %d %s", p.status, http.StatusText(p.status))
	}
	var b strings.Builder
	detail := p.Detail
	if detail == noAddress { // agents give ids, not addresses
		detail = "Nothing has the id or the citation that was given, or the token may not read it."
	}
	b.WriteString(cut(detail, maxText))
	if p.Path != "" {
		fmt.Fprintf(&b, " (at %s)", cut(p.Path, maxName))
	}
	for i, e := range p.Errors {
		if i == maxFaults {
			fmt.Fprintf(&b, "\n- and %d more", len(p.Errors)-i)
			break
		}
		fmt.Fprintf(&b, "\n- %s: %s", cut(e.Path, maxName), cut(e.Detail, maxText))
	}
	switch {
	case p.status == http.StatusUnauthorized:
		b.WriteString(" The token of this client is unknown, has expired or was revoked; somebody has to give it a " +
			"new one.")
	case p.after != "":
		fmt.Fprintf(&b, " Try again in %s seconds.", cut(p.after, 20))
	}
	return b.String()
}

// names says which argument of a tool is which place of the API: pairs of beginnings, the first that fits counts.
type names [][2]string

// at returns a place of the API as a place of the tool's arguments.
func (n names) at(path string) string {
	for _, pair := range n {
		rest, found := strings.CutPrefix(path, pair[0])
		if found && (rest == "" || pair[0] == "" || rest[0] == '.' || rest[0] == '[') {
			return pair[1] + rest
		}
	}
	return path
}

// of returns a refusal with the places that the tool's caller knows; other errors as they are.
func (n names) of(err error) error {
	var r *refused
	if !errors.As(err, &r) {
		return err
	}
	if r.Path != "" {
		r.Path = n.at(r.Path)
	}
	for i := range r.Errors {
		if r.Errors[i].Path != "" {
			r.Errors[i].Path = n.at(r.Errors[i].Path)
		}
	}
	return err
}

// segment escapes one segment of a path. An id that would be read as another path is refused.
func segment(name, id string) (string, error) {
	switch strings.TrimSpace(id) {
	case "":
		return "", fmt.Errorf("give %s", name)
	case ".", "..":
		return "", fmt.Errorf("%s is no id", name)
	}
	return url.PathEscape(strings.TrimSpace(id)), nil
}
