package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
)

// door is the HTTP client that a vendor's SDK gets for one try. Of the SDK's request only the path and the body
// leave: headers, host and query are ours, so that neither the environment nor the machine is told of (X-Stainless-*,
// OPENAI_*, ANTHROPIC_*).
type door struct {
	client *client
	call   *Call
	fault  *fault
	passed bool // the answer is on its way to the SDK
}

// errFault stands for the fault that a door keeps.
var errFault = errors.New("the try failed")

// Do sends the request's body as send does. The SDK sees answers alone that are well-formed JSON.
func (d *door) Do(r *http.Request) (*http.Response, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		d.fault = malformed(err)
		return nil, errFault
	}
	to := *d.client.url
	to.Path, to.RawPath = r.URL.Path, r.URL.RawPath
	answer, f := d.client.send(r.Context(), to.String(), raw, d.call)
	if f == nil && !json.Valid(answer) {
		f = malformed(nil)
	}
	if d.fault = f; f != nil {
		return nil, errFault
	}
	d.passed = true
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(answer)),
		ContentLength: int64(len(answer)), Request: r,
	}, nil
}

// result is the fault of a try, after the SDK returned an error or none. What the SDK says is not passed on: it may
// quote the answer.
func (d *door) result(ctx context.Context, err error) *fault {
	switch {
	case d.fault != nil:
		return d.fault
	case err == nil:
		return nil
	case d.passed:
		return malformed(nil)
	case ctx.Err() != nil:
		return ofConnection(ctx.Err())
	}
	return &fault{code: "question", msg: "The question cannot be written in the form of the endpoint's kind."}
}

// base is the endpoint's address as SDKs take it.
func base(u *url.URL) string {
	out := *u
	out.RawQuery = ""
	return out.String()
}
