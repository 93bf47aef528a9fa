package web

import (
	"encoding/base64"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
)

// PositionHeader carries to a program, and back, how far the database was when it wrote last. What a program that does
// not send it reads comes from the primary.
const PositionHeader = "Sanad-Position"

const positionPlace = "position" // that a position is sealed for

// positioned lets what a request reads come from a replica, if the position that its login or program carries is
// known, and gives it a new one if it may have written or has none (rule DB-12). A change that is sent again writes
// nothing, but its caller may not know the position of the first. The position is asked for when the answer begins, so
// that it includes everything that the request wrote, and that of an answer which is sent later is not older.
func (s *Server) positioned(next echo.HandlerFunc) echo.HandlerFunc {
	if !s.Store.HasReplicas() {
		return next
	}
	return func(c echo.Context) error {
		r := c.Request()
		key := bearer(r)
		program := key != ""
		if !program {
			key = s.Cookie(c, LoginCookie)
		}
		at := s.position(c, program)
		from := at
		if r.Method != http.MethodGet {
			from = db.Position{}
		}
		ctx, reading := db.WithReading(r.Context(), from, key)
		c.SetRequest(r.WithContext(ctx))
		c.Response().Before(func() {
			known := c.Get(actorKey) != nil
			if reading.Wrote() || known && (r.Method != http.MethodGet || at == (db.Position{})) {
				s.givePosition(c, program)
			}
		})
		return next(c)
	}
}

// position returns the position that a request carries, the zero one if none of this database.
func (s *Server) position(c echo.Context, program bool) db.Position {
	value := c.Request().Header.Get(PositionHeader)
	if !program {
		value = s.Cookie(c, PositionCookie)
	}
	box, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil || len(box) == 0 || len(value) > maxSecret {
		return db.Position{}
	}
	text, err := s.Keys.Open(positionPlace, box)
	if err != nil {
		return db.Position{}
	}
	if at := db.ParsePosition(string(text)); s.Store.Knows(at) {
		return at
	}
	return db.Position{}
}

// givePosition gives the caller the present position. If it is not known, what the caller has is taken away, so that
// the primary is asked.
func (s *Server) givePosition(c echo.Context, program bool) {
	value := ""
	at, err := s.Store.Position(c.Request().Context())
	if err == nil {
		var box []byte
		if box, err = s.Keys.Seal(positionPlace, []byte(at.String())); err == nil {
			value = base64.RawURLEncoding.EncodeToString(box)
		}
	}
	if err != nil {
		s.Log.Warn("the position of the database is not known, so the primary is read",
			"request_id", RequestID(c), "err", err)
	}
	switch {
	case program:
		c.Response().Header().Set(PositionHeader, value)
	case value == "":
		s.ClearCookie(c, PositionCookie)
	default:
		s.SetCookie(c, PositionCookie, value, 0)
	}
}
