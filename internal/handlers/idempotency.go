package handlers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
)

// reply is what a change is answered with.
type reply struct {
	status  int
	body    any // nil for none
	headers map[string]string
}

// createdOr200 is 201 for what is new, 200 for what was there.
func createdOr200(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// send writes the reply as JSON.
func (r reply) send(c echo.Context) error {
	for name, value := range r.headers {
		c.Response().Header().Set(name, value)
	}
	if r.body == nil {
		return c.NoContent(r.status)
	}
	return sendJSON(c, r.status, r.body)
}

// keyedRequest is a request with an Idempotency-Key while it is answered.
type keyedRequest struct {
	key    string // as it is stored
	digest string // "" until checkAnswered has been asked
	unlock func()
}

const keyedRequestKey = "keyed_request"

// keyed returns the request's key and what belongs to it, nil without one.
func keyed(c echo.Context) *keyedRequest {
	k, _ := c.Get(keyedRequestKey).(*keyedRequest)
	return k
}

// maxKey bounds an Idempotency-Key, in bytes.
const maxKey = 255

// idempotent wraps a change so that a request that repeats an Idempotency-Key is answered as the first time. The same key
// with another request is refused. Only what succeeded is kept: after an error the key can be used again.
//
// A change that is one transaction keeps the answer in that transaction (receiptKey, receipt). The answers of all others
// are kept right after the change; if the process dies in between, a repeat is told the state that it finds, mostly with
// a 409. One request at a time for each key: of several at once the first is carried out, the others get its answer.
func (s *Server) idempotent(e Endpoint) echo.HandlerFunc {
	return func(c echo.Context) error {
		key := c.Request().Header.Get("Idempotency-Key")
		if key == "" {
			r, err := e.Idempotent(c)
			if err != nil {
				return err
			}
			return r.send(c)
		}
		if len(key) > maxKey {
			return withStatus(http.StatusBadRequest, domain.Invalidf("Idempotency-Key", "At most %d characters.", maxKey))
		}
		k := &keyedRequest{key: ownKey(s.who(c), key), unlock: func() {}}
		c.Set(keyedRequestKey, k)
		defer func() { k.unlock() }()
		r, err := s.changeOnce(c, e)
		var answered *db.ReplayError
		switch {
		case errors.As(err, &answered):
			return k.sendAgain(c, answered.Receipt)
		case err != nil:
			return err
		}
		return r.send(c)
	}
}

// changeOnce carries a request out and keeps its answer. It returns a *db.ReplayError if the key has been answered.
func (s *Server) changeOnce(c echo.Context, e Endpoint) (reply, error) {
	if !e.Streams {
		sum := s.requestDigest(c)
		if err := digestBody(c, sum, e.Secrets); err != nil {
			return reply{}, err
		}
		if err := s.checkAnswered(c, sum); err != nil {
			return reply{}, err
		}
	}
	r, err := e.Idempotent(c)
	if err != nil {
		return r, err
	}
	return r, s.keepReceipt(c, r)
}

// requestDigest begins the digest that tells a request from the caller's others: where to, held to which revision; its
// body is for the caller to add. It is keyed, as nobody who sees the stored digest may try out what the body was.
func (s *Server) requestDigest(c echo.Context) hash.Hash {
	r := c.Request()
	sum := s.keys.NewMAC("receipt")
	fmt.Fprintf(sum, "%s %s\n%s\n", r.Method, r.URL.Path, r.Header.Get("If-Match"))
	return sum
}

// digestBody adds the body without its secret members, and leaves the whole body to be read by the handler.
func digestBody(c echo.Context, sum hash.Hash, secrets []string) error {
	r := c.Request()
	data, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxAPIBody+1))
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	sum.Write(withoutMembers(data, secrets))
	return nil
}

// withoutMembers leaves members out of a JSON object; other data it returns as it is.
func withoutMembers(data []byte, names []string) []byte {
	if len(names) == 0 {
		return data
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil // is refused when it is read
	}
	for _, name := range names {
		delete(members, name)
	}
	rest, err := json.Marshal(members) // in the order of the names
	if err != nil {
		return nil // no RawMessage that was read fails
	}
	return rest
}

// checkAnswered returns a *db.ReplayError if the request's key has been answered, and then the change must not be made;
// nil if there is no key. sum is the request's digest. Endpoints that stream their body ask it when they have read all.
func (s *Server) checkAnswered(c echo.Context, sum hash.Hash) error {
	k := keyed(c)
	if k == nil || k.digest != "" {
		return nil
	}
	ctx, who := c.Request().Context(), s.who(c)
	unlock, err := s.locks.lock(ctx, "idempotency\n"+who.Tenant+"\n"+k.key)
	if err != nil {
		return err
	}
	k.unlock, k.digest = unlock, fmt.Sprintf("%x", sum.Sum(nil))
	old, err := s.store.Receipt(ctx, who.Tenant, k.key)
	if err == nil && old != nil {
		err = &db.ReplayError{Receipt: old}
	}
	return err
}

// ownKey is an Idempotency-Key as it is stored: each caller has keys of their own, as an answer may show what another
// caller must not see.
func ownKey(who domain.Actor, key string) string { return who.ID + " " + key }

// sendAgain sends a stored answer with its headers, if it answered the same request.
func (k *keyedRequest) sendAgain(c echo.Context, old *db.Receipt) error {
	if old.Digest != k.digest {
		return domain.Invalidf("Idempotency-Key", "This key was used for another request; use a new one.")
	}
	for name, value := range old.Headers {
		c.Response().Header().Set(name, value)
	}
	c.Response().Header().Set("Idempotent-Replayed", "true")
	return c.Blob(old.Status, "application/json", old.Body)
}

// receiptKey is the key that a transaction checks and keeps its answer under, "" if the request has none.
func receiptKey(c echo.Context) string {
	if k := keyed(c); k != nil {
		return k.key
	}
	return ""
}

// receipt is r as a transaction keeps it, nil if the request has no key.
func (r reply) receipt(c echo.Context) (*db.Receipt, error) {
	k := keyed(c)
	if k == nil {
		return nil, nil
	}
	if k.digest == "" {
		return nil, errors.New("an answer is kept before checkAnswered was asked")
	}
	out := &db.Receipt{Key: k.key, Digest: k.digest, Status: r.status, Headers: r.headers, Body: []byte{}}
	if out.Headers == nil {
		out.Headers = map[string]string{}
	}
	if r.body == nil {
		return out, nil
	}
	var err error
	out.Body, err = marshal(r.body)
	return out, err
}

// keepReceipt keeps the answer of a change whose own transaction did not.
func (s *Server) keepReceipt(c echo.Context, r reply) error {
	receipt, err := r.receipt(c)
	if err != nil {
		return err
	}
	err = s.store.SaveReceipt(c.Request().Context(), s.who(c).Tenant, receipt)
	var kept *db.ReplayError
	if errors.As(err, &kept) { // by the change's own transaction: nobody else has the key meanwhile
		return nil
	}
	return err
}
