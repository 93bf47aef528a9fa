package web

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/isolated"
	"sanad/internal/words"
)

// The context keys of the caller.
const (
	actorKey = "actor" // access.Actor
	loginKey = "login" // *db.SignedIn, nil for nobody
)

const (
	// seenEvery is the least time between two writes of a login's SeenAt, so that most page views stay reads.
	seenEvery = time.Minute
	// maxSecret bounds, in bytes, the tokens that are hashed and looked up; real ones are far shorter.
	maxSecret = 200
)

// AgentsPath is where agents call tools (internal/mcp). It takes tokens as the API does.
const AgentsPath = "/mcp"

// isAPI reports whether a route or path belongs to the API, which takes tokens only and answers with problem details
// (at TracesPath with what the protocol asks for).
func isAPI(path string) bool {
	return strings.HasPrefix(path, "/api/") || path == AgentsPath || path == TracesPath
}

// identify finds out who sent the request and stores the actor in the context. The API takes bearer tokens only, so
// that no other site can use a browser's cookie there; pages take login cookies only; the link to an export takes
// either, because either may have created it.
func (s *Server) identify(c echo.Context, path string) (known bool, err error) {
	if isAPI(path) || isDownload(path) {
		if token := bearer(c.Request()); token != "" || isAPI(path) {
			return s.identifyToken(c, token)
		}
	}
	l, err := s.FindLogin(c)
	if err != nil || l == nil {
		return false, err
	}
	s.setActor(c, l.Actor())
	return true, s.seen(c, l)
}

// identifyToken looks up the actor that a bearer token stands for.
func (s *Server) identifyToken(c echo.Context, token string) (known bool, err error) {
	if token == "" || len(token) > maxSecret {
		return false, nil
	}
	actor, err := s.Store.TokenActor(c.Request().Context(), db.HashToken(token), s.seenAddress(c.Request()))
	if domain.KindOf(err) == domain.NotFound {
		return false, nil
	}
	s.setActor(c, actor)
	return err == nil, err
}

// setActor stores who sent the request, and for whom its files are read.
func (s *Server) setActor(c echo.Context, actor access.Actor) {
	c.Set(actorKey, s.From(c, actor))
	callerOf(c.Request().Context()).who = actor
	c.SetRequest(c.Request().WithContext(isolated.For(c.Request().Context(), actor.Tenant)))
}

// FindLogin returns the login of the request's cookie, nil if none. It queries the store at most once per request.
func (s *Server) FindLogin(c echo.Context) (*db.SignedIn, error) {
	if l, looked := c.Get(loginKey).(*db.SignedIn); looked {
		return l, nil
	}
	var none *db.SignedIn
	value := s.Cookie(c, LoginCookie)
	if value == "" || len(value) > maxSecret {
		c.Set(loginKey, none)
		return nil, nil
	}
	l, err := s.Store.SignedIn(c.Request().Context(), db.HashToken(value))
	if domain.KindOf(err) == domain.NotFound {
		l, err = nil, nil
	}
	if err == nil {
		c.Set(loginKey, l)
	}
	return l, err
}

// SignedIn is FindLogin for pages that anybody may see: if the store fails, everybody is treated as a visitor.
func (s *Server) SignedIn(c echo.Context) *db.SignedIn {
	l, err := s.FindLogin(c)
	if err != nil {
		s.Log.Error("login not looked up", "request_id", RequestID(c), "err", err)
		return nil
	}
	return l
}

// seen records that the login is in use.
func (s *Server) seen(c echo.Context, l *db.SignedIn) error {
	if s.Now().Sub(l.SeenAt) < seenEvery {
		return nil
	}
	err := s.Store.SeeLogin(c.Request().Context(), l.ID)
	if domain.KindOf(err) == domain.NotFound { // ended at this very moment
		return nil
	}
	return err
}

// From adds the client's address and the request id to an actor, for the audit log.
func (s *Server) From(c echo.Context, a access.Actor) access.Actor {
	a.From, a.Trace = c.RealIP(), RequestID(c)
	return a
}

// Who returns the caller. On public routes it is the zero actor, which may do nothing.
func (s *Server) Who(c echo.Context) access.Actor { return who(c) }

func who(c echo.Context) access.Actor {
	a, _ := c.Get(actorKey).(access.Actor)
	return a
}

// seenAddress returns the address that a request came from, for decisions: of the connection, or behind a proxy that is
// believed what this proxy saw, which no client can forge. The zero Addr if it is no address.
func (s *Server) seenAddress(r *http.Request) netip.Addr {
	if near, _ := netip.ParseAddrPort(r.RemoteAddr); !s.trustProxy || !isNear(r.RemoteAddr) {
		return near.Addr()
	}
	said := r.Header.Values("X-Forwarded-For")
	if len(said) == 0 {
		return netip.Addr{}
	}
	hops := strings.Split(said[len(said)-1], ",")
	from, _ := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1]))
	return from
}

// bearer returns the token of the Authorization header, "" if none.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// unauthorized answers the API's 401.
func unauthorized(c echo.Context) error {
	c.Response().Header().Set("WWW-Authenticate", `Bearer realm="sanad"`)
	return WithStatus(http.StatusUnauthorized,
		&domain.Error{Kind: domain.Denied, Message: words.Msg("refused_send_valid_token")})
}
