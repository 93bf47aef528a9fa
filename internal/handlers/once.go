package handlers

import (
	"github.com/labstack/echo/v4"
)

// written is what a change is answered with.
type written struct {
	status  int
	body    any      // nil for none
	headers []string // name, value pairs
}

// once makes a change whose own transaction keeps no receipt: one request at a time for an Idempotency-Key, and the answer
// is kept right after the change. data is what tells two requests apart, without what must not be kept. Where the process
// dies between the change and its receipt, a repeat is told the state it finds, mostly a 409: nothing is done twice.
func (s *Server) once(c echo.Context, data []byte, change func() (written, error)) error {
	if key := c.Request().Header.Get("Idempotency-Key"); key != "" {
		unlock, err := s.locks.lock(c.Request().Context(), "once\n"+s.who(c).Tenant+"\n"+ownKey(s.who(c), key))
		if err != nil {
			return err
		}
		defer unlock()
	}
	receipt, done, err := s.replayKeyed(c, data)
	if err != nil || done {
		return err
	}
	w, err := change()
	if err != nil {
		return err
	}
	if err := s.keepAfter(c, receipt, w.status, w.body, w.headers...); err != nil {
		return orAgain(c, err, receipt)
	}
	for i := 0; i+1 < len(w.headers); i += 2 {
		c.Response().Header().Set(w.headers[i], w.headers[i+1])
	}
	if w.body == nil {
		return c.NoContent(w.status)
	}
	return sendJSON(c, w.status, w.body)
}
