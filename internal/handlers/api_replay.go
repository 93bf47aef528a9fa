package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
)

// replay answers a repeated Idempotency-Key as the first time; the same key for another request is refused. It gives
// the key's receipt-to-be where the request is new, nil where it has no key.
func (s *Server) replay(c echo.Context, data []byte) (receipt *db.Receipt, done bool, err error) {
	return s.replayOf(c, func() string {
		sum := sha256.New()
		fmt.Fprint(sum, toldBy(c))
		sum.Write(data)
		return hex.EncodeToString(sum.Sum(nil))
	})
}

// toldBy is what tells a request from the caller's others besides its body: where to, held to which revision.
func toldBy(c echo.Context) string {
	r := c.Request()
	return fmt.Sprintf("%s %s\n%s\n", r.Method, r.URL.Path, r.Header.Get("If-Match"))
}

// replayKeyed is replay for a request that must not be told from its digest, as it holds what is not kept.
func (s *Server) replayKeyed(c echo.Context, data []byte) (receipt *db.Receipt, done bool, err error) {
	return s.replayOf(c, func() string {
		return s.keys.MAC("receipt", toldBy(c)+string(data))
	})
}

func (s *Server) replayOf(c echo.Context, digestOf func() string) (receipt *db.Receipt, done bool, err error) {
	key := c.Request().Header.Get("Idempotency-Key")
	if key == "" {
		return nil, false, nil
	}
	if len(key) > 255 {
		return nil, false, withStatus(http.StatusBadRequest, domain.Invalidf("Idempotency-Key", "At most 255 characters."))
	}
	key = ownKey(s.who(c), key)
	digest := digestOf()
	receipt = &db.Receipt{Key: key, Digest: digest, Headers: map[string]string{}}
	old, err := s.store.Receipt(c.Request().Context(), s.who(c).Tenant, key)
	if err != nil || old == nil {
		return receipt, false, err
	}
	return nil, true, answerAgain(c, old, digest)
}

// ownKey is an Idempotency-Key as it is kept: each caller has keys of its own, as an answer may show what another may not see.
func ownKey(who domain.Actor, key string) string { return who.ID + " " + key }

// answerAgain sends a stored answer with its headers.
func answerAgain(c echo.Context, old *db.Receipt, digest string) error {
	if old.Digest != digest {
		return domain.Invalidf("Idempotency-Key", "This key was used for another request; use a new one.")
	}
	for name, value := range old.Headers {
		c.Response().Header().Set(name, value)
	}
	c.Response().Header().Set("Idempotent-Replayed", "true")
	return c.Blob(old.Status, "application/json", old.Body)
}

// orAgain answers a write that another request with the same key overtook as that one was answered.
func orAgain(c echo.Context, err error, receipt *db.Receipt) error {
	var again *db.ReplayError
	if receipt != nil && errors.As(err, &again) {
		return answerAgain(c, again.Receipt, receipt.Digest)
	}
	return err
}

// keep fills in a receipt with the answer that is about to be sent; nil where the request has no key.
func keep(r *db.Receipt, status int, v any, headers ...string) (*db.Receipt, error) {
	if r == nil {
		return nil, nil
	}
	var err error
	r.Status = status
	r.Body = []byte{}
	if v != nil {
		r.Body, err = marshal(v)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Headers[headers[i]] = headers[i+1]
	}
	return r, err
}

// keepAfter keeps the answer to a request that changed nothing, or that changed it in a transaction of its own.
func (s *Server) keepAfter(c echo.Context, r *db.Receipt, status int, v any, headers ...string) error {
	r, err := keep(r, status, v, headers...)
	if err != nil || r == nil {
		return err
	}
	return s.store.SaveReceipt(c.Request().Context(), s.who(c).Tenant, r)
}
