package web

import (
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/words"
)

// EvidencePack is the object kind of packs in questions to the Authorizer.
const EvidencePack = "evidence_pack"

// allow wraps an endpoint so that only actors who may do its action reach it. It checks, in this order: who sent the
// request; the role, so that a low role gets the same answer for a foreign object as for one of its own tenant; how
// long ago the password was given. Whether the object exists in the tenant is left to the handler.
func (s *Server) allow(e Endpoint) echo.HandlerFunc {
	if e.Action == access.Public {
		return e.Handle
	}
	handle := e.Handle
	if e.Idempotent != nil {
		handle = s.idempotent(e)
	}
	work := e.work()
	return func(c echo.Context) error {
		callerOf(c.Request().Context()).action = e.Action
		known, err := s.identify(c, e.Path)
		if err != nil {
			return err
		}
		if !known {
			return s.askToSignIn(c, e.Path)
		}
		if err := s.tooOften(c); err != nil {
			return err
		}
		if who := s.Who(c); who.Unproven && who.Token == "" && e.Action != access.UseAccount {
			refusedFor(c, "factor_needed")
			return s.sendTo(c, SecondFactorPage)
		}
		if err := s.authorize(c, e); err != nil {
			return err
		}
		if e.Reauth && !s.HasReauthed(c) {
			return s.requireReauth(c)
		}
		if e.Doc != nil && e.Method == http.MethodGet {
			if err := knownParameters(c, e.Doc); err != nil {
				return err
			}
		}
		if err := e.IfMatch.check(c); err != nil {
			return err
		}
		if e.takesFiles() {
			extendDeadlines(c)
		}
		room := work
		if e.isForm(c.Request()) {
			room = limits.FormUpload
		}
		return s.goneIfErased(c, e, s.withRoom(c, room, handle))
	}
}

// uploadTime is how long a large file may take to arrive: 128 MiB at 1.2 Mbit/s.
const uploadTime = 15 * time.Minute

// takesFiles reports whether a request may bring files that take long to arrive.
func (e *Endpoint) takesFiles() bool {
	imports := e.Action == access.ImportLedger || e.Action == access.ImportDecision
	return e.Method == http.MethodPost && (imports || e.Action == access.ChangeLibrary) || e.Action == access.WriteLake
}

// extendDeadlines extends the server's deadlines for a request that uploads files. Unauthenticated requests do not get
// here.
func extendDeadlines(c echo.Context) {
	until := time.Now().Add(uploadTime) // of the connection, not part of any result
	rc := http.NewResponseController(c.Response())
	// a writer without a connection, as in tests, has no deadline to move
	_ = rc.SetReadDeadline(until)
	_ = rc.SetWriteDeadline(until.Add(time.Minute)) // the answer comes after the upload
}

// AnswerLater extends the server's deadline for an answer that takes long to make or to send: a file of many claims.
func AnswerLater(c echo.Context) {
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(uploadTime))
}

// authorize asks the Authorizer about the object that the address names. An error counts as no.
func (s *Server) authorize(c echo.Context, e Endpoint) error {
	who := s.Who(c)
	if !access.InScope(who, e.Action) {
		return lacksScope(c, e.Action)
	}
	if who.Unproven && access.NeedsFactor(e.Action) && !who.Human {
		return domain.Refuse(domain.Denied, "", "refused_factor_machine")
	}
	if who.Unproven && access.NeedsFactor(e.Action) {
		return domain.Refuse(domain.Denied, "", "fault_factor_needed")
	}
	on, err := s.objectOf(c, e)
	if err != nil {
		return err
	}
	ok, err := s.Authorizer.Allowed(c.Request().Context(), who, e.Action, on)
	if err != nil {
		return NotChecked(err)
	}
	if ok {
		return s.mayReadCopy(c, on)
	}
	if byRole, _ := (access.ByRole{}).Allowed(c.Request().Context(), who, e.Action, access.Object{}); byRole &&
		e.Object != "" {
		refusedFor(c, "object")
		return NotFound() // the role suffices, so the object is in another tenant
	}
	if who.Role == access.Auditor {
		return &domain.Error{Kind: domain.Denied, Message: words.Msg("refused_auditor"), Err: &roleError{access.Least(e.Action)}}
	}
	return LacksRole(e.Action)
}

// isID reports whether an id is well formed for its kind.
func isID(kind, id string) bool {
	if kind == EvidencePack {
		return pack.CheckID(id)
	}
	parsed, err := uuid.Parse(id)
	return err == nil && parsed.String() == id
}

// roleError names the role that an action needs; pages translate it.
type roleError struct{ role access.Role }

func (e *roleError) Error() string {
	if e.role == "" {
		return "Nobody may do this."
	}
	return "This needs the role " + string(e.role) + "."
}

// LacksRole refuses an action, naming the role it needs.
func LacksRole(action access.Action) error {
	e := &roleError{access.Least(action)}
	m := words.Msg("refused_role_needed", "Role", string(e.role))
	if e.role == "" {
		m = words.Msg("refused_nobody")
	}
	return &domain.Error{Kind: domain.Denied, Message: m, Err: e}
}

// Require refuses what a request asks besides the action of its endpoint, with what it lacks: the scope of the token, or
// the role.
func (s *Server) Require(c echo.Context, what access.Action) error {
	if !access.InScope(s.Who(c), what) {
		return lacksScope(c, what)
	}
	may, err := s.May(c, what, access.Object{})
	if err == nil && !may {
		err = LacksRole(what)
	}
	return err
}

// SecondFactorPage is where somebody who lacks a required second factor is led.
const SecondFactorPage = "/account#second-step"

// lacksScope refuses an action to a token that is narrowed to other scopes, naming the one it needs (RFC 6750, 3.1).
func lacksScope(c echo.Context, action access.Action) error {
	scope := string(access.ScopeOf(action))
	c.Response().Header().Set("WWW-Authenticate", `Bearer realm="sanad", error="insufficient_scope", scope="`+scope+`"`)
	return domain.Refuse(domain.Denied, "", "refused_token_scope", "Scope", scope)
}

// HasReauthed reports whether the password was given within access.FreshFor. For a token it is always false.
func (s *Server) HasReauthed(c echo.Context) bool {
	l := s.SignedIn(c)
	return l != nil && s.Now().Sub(l.FreshAt) < access.FreshFor
}

// askToSignIn answers an unauthenticated request: 401 for the API, the login page for people.
func (s *Server) askToSignIn(c echo.Context, path string) error {
	if isAPI(path) {
		return unauthorized(c)
	}
	return s.sendTo(c, WithNext("/login", s.backTo(c)))
}

// requireReauth asks for the password again, because it was given too long ago.
func (s *Server) requireReauth(c echo.Context) error {
	if s.SignedIn(c) == nil {
		return &domain.Error{Kind: domain.Denied,
			Message: words.Msg("refused_needs_person_just")}
	}
	back := s.backTo(c)
	if err := s.keepTyped(c, back); err != nil {
		return err
	}
	return s.sendTo(c, WithNext("/confirm", back))
}

// sendTo redirects a browser to another page. htmx would follow a 303 itself and show that page as a fragment, so it
// gets the HX-Redirect header instead.
func (s *Server) sendTo(c echo.Context, path string) error {
	if c.Request().Header.Get("HX-Request") != "true" {
		return SeeOther(c, path)
	}
	c.Response().Header().Set("HX-Redirect", path)
	return c.NoContent(http.StatusForbidden)
}
