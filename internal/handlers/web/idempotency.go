package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// Reply is the answer to a change.
type Reply struct {
	Status  int
	Body    any // nil if none
	Headers map[string]string
}

// CreatedOr200 returns 201 for a new object, 200 for one that existed.
func CreatedOr200(created bool) int {
	if created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// send writes the reply as JSON.
func (r Reply) send(c echo.Context) error {
	for name, value := range r.Headers {
		c.Response().Header().Set(name, value)
	}
	if r.Body == nil {
		return c.NoContent(r.Status)
	}
	return SendJSON(c, r.Status, r.Body)
}

// keyedRequest is the state of a request with an Idempotency-Key.
type keyedRequest struct {
	key    string   // as it is stored
	digest string   // "" until CheckAnswered was called
	older  []string // the same with master keys of before
	unlock func()
}

const keyedRequestKey = "keyed_request"

// keyed returns the state of the request's key, nil if it has no key.
func keyed(c echo.Context) *keyedRequest {
	k, _ := c.Get(keyedRequestKey).(*keyedRequest)
	return k
}

// maxKey bounds an Idempotency-Key, in bytes.
const maxKey = 255

// idempotent wraps a change so that a request that repeats an Idempotency-Key gets the first answer again. The same key
// with another request is refused. Only successes are stored: after an error the key can be used again.
//
// A change that is one transaction stores its answer in that transaction (ReceiptKey, Receipt). The answer of any other
// change is stored right after it; if the process dies in between, a repeat is executed against the changed state and
// mostly ends in a 409. Requests with the same key run one at a time: the first is executed, the others get its answer.
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
			return WithStatus(http.StatusBadRequest,
				domain.Refuse(domain.Invalid, "Idempotency-Key", "refused_most_characters", "N", maxKey))
		}
		k := &keyedRequest{key: ownKey(s.Who(c), key), unlock: func() {}}
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

// changeOnce executes a request and stores its answer. It returns a *db.ReplayError if the key has an answer already.
func (s *Server) changeOnce(c echo.Context, e Endpoint) (Reply, error) {
	if !e.Streams && !e.isForm(c.Request()) {
		sum := s.RequestDigest(c)
		if err := digestBody(c, sum, e.Secrets); err != nil {
			return Reply{}, err
		}
		if err := s.CheckAnswered(c, sum); err != nil {
			return Reply{}, err
		}
	}
	r, err := e.Idempotent(c)
	if waiting := askedOf(err); waiting != nil {
		r, err = waiting.reply(), nil
	}
	if err != nil {
		return r, err
	}
	return r, s.keepReceipt(c, r)
}

// RequestSum computes the digests of a request that is written to it. They are keyed, so that nobody who sees one in
// the database can guess the body by trial. By those of older a request is known that was answered before the master
// key was replaced, and is repeated after it.
type RequestSum struct {
	keyed hash.Hash
	older []hash.Hash
}

// Write never fails.
func (s RequestSum) Write(p []byte) (int, error) {
	for _, h := range s.older {
		h.Write(p)
	}
	return s.keyed.Write(p)
}

// RequestDigest begins the digest that distinguishes a request from the caller's others: method, path, query and
// If-Match. The caller adds the body.
func (s *Server) RequestDigest(c echo.Context) RequestSum {
	r := c.Request()
	sum := RequestSum{keyed: s.Keys.NewMAC("receipt")}
	for _, k := range s.Store.EarlierKeys() {
		sum.older = append(sum.older, k.NewMAC("receipt"))
	}
	path := r.URL.Path
	if q := r.URL.Query(); len(q) > 0 {
		path += "?" + q.Encode()
	}
	fmt.Fprintf(sum, "%s %s\n%s\n", r.Method, path, r.Header.Get("If-Match"))
	return sum
}

// digestBody adds the body without its secret members to the digest, and rewinds the body for the handler.
func digestBody(c echo.Context, sum io.Writer, secrets []string) error {
	r := c.Request()
	data, err := ReadCounted(c, http.MaxBytesReader(c.Response(), r.Body, MaxAPIBody), MaxAPIBody)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	_, err = sum.Write(withoutMembers(data, secrets))
	return err
}

// withoutMembers removes members from a JSON object; other data it returns unchanged.
func withoutMembers(data []byte, names []string) []byte {
	if len(names) == 0 {
		return data
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil // the handler refuses it
	}
	for _, name := range names {
		delete(members, name)
	}
	rest, err := json.Marshal(members) // in the order of the names
	if err != nil {
		return nil // cannot fail for members that were just decoded
	}
	return rest
}

// CheckAnswered returns a *db.ReplayError if the request's key has an answer already; then the change must not be made.
// It returns nil if there is no key. sum is the request's digest. Endpoints that stream their body call it after
// reading all of it.
func (s *Server) CheckAnswered(c echo.Context, sum RequestSum) error {
	k := keyed(c)
	if k == nil || k.digest != "" {
		return nil
	}
	ctx, who := c.Request().Context(), s.Who(c)
	unlock, err := s.Locks.Lock(ctx, "idempotency\n"+who.Tenant+"\n"+k.key)
	if err != nil {
		return err
	}
	k.unlock, k.digest = unlock, fmt.Sprintf("%x", sum.keyed.Sum(nil))
	for _, h := range sum.older {
		k.older = append(k.older, fmt.Sprintf("%x", h.Sum(nil)))
	}
	old, err := s.Store.Receipt(ctx, who.Tenant, k.key)
	if err == nil && old != nil {
		err = &db.ReplayError{Receipt: old}
	}
	return err
}

// ownKey is an Idempotency-Key as it is stored. It contains the caller's id, because an answer may show what another
// caller must not see.
func ownKey(who access.Actor, key string) string { return who.ID + " " + key }

// sendAgain sends a stored answer with its headers, if the stored request was the same.
func (k *keyedRequest) sendAgain(c echo.Context, old *db.Receipt) error {
	if old.Digest != k.digest && !slices.Contains(k.older, old.Digest) {
		return domain.Refuse(domain.Invalid, "Idempotency-Key", "refused_key_used_another")
	}
	c.Response().Header().Set("Idempotent-Replayed", "true")
	if old.Status == http.StatusGone {
		return &domain.Error{Kind: domain.Gone,
			Message: words.Msg("refused_request_done_answer")}
	}
	for name, value := range old.Headers {
		c.Response().Header().Set(name, value)
	}
	return c.Blob(old.Status, "application/json", old.Body)
}

// ReceiptKey is the key under which a transaction stores its answer, "" if the request has none.
func ReceiptKey(c echo.Context) string {
	if k := keyed(c); k != nil {
		return k.key
	}
	return ""
}

// Receipt is r in the form that a transaction stores, nil if the request has no key.
func (r Reply) Receipt(c echo.Context) (*db.Receipt, error) {
	k := keyed(c)
	if k == nil {
		return nil, nil
	}
	if k.digest == "" {
		return nil, errors.New("an answer is kept before checkAnswered was asked")
	}
	out := &db.Receipt{Key: k.key, Digest: k.digest, Status: r.Status, Headers: r.Headers, Body: []byte{}}
	if out.Headers == nil {
		out.Headers = map[string]string{}
	}
	if r.Body == nil {
		return out, nil
	}
	var err error
	out.Body, err = marshal(r.Body)
	return out, err
}

// keepReceipt stores the answer of a change whose own transaction did not.
func (s *Server) keepReceipt(c echo.Context, r Reply) error {
	receipt, err := r.Receipt(c)
	if err != nil {
		return err
	}
	err = s.Store.SaveReceipt(c.Request().Context(), s.Who(c).Tenant, receipt)
	var kept *db.ReplayError
	if errors.As(err, &kept) { // stored by the change's own transaction: the key is locked
		return nil
	}
	return err
}
