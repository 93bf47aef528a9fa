// Package web is what the handlers of all capabilities share: the guards before every request, who asks and what they
// may do, rendering, errors, forms, paging, idempotency, and the Endpoint that a handler is listed by.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"sanad/internal/app"
	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/model"
	"sanad/internal/domain/notify"
	"sanad/internal/handlers/web/limits"
	"sanad/internal/importers"
	"sanad/internal/keys"
	"sanad/internal/lake"
	"sanad/internal/quota"
	"sanad/internal/telemetry"
)

// Options configures the app. Time and ids are passed in so that tests can fix them. What one capability alone uses is
// passed to its Endpoints; a Server does not keep it.
type Options struct {
	Store      *db.Store
	Log        *slog.Logger
	Now        func() time.Time
	NewID      func() string
	Keys       *keys.Box         // seals the cookies of a login under way, and opens TOTP secrets
	Hasher     *auth.Hasher      // checks passwords
	Forbidden  *auth.Forbidden   // passwords that nobody may choose, besides the built-in ones; nil if none
	Authorizer access.Authorizer // answers whether an actor may do an action
	OIDC       *auth.OIDC        // nil if none
	Secure     bool              // browsers reach this server by TLS, here or at a proxy
	Public     string            // address that people open, without a slash at its end; "" for the one that a request names
	Subdomains bool              // browsers shall reach the hosts below its name by TLS only, too
	TrustProxy bool              // believe X-Forwarded-For and X-Forwarded-Proto of a loopback or private peer
	Hosts      []string          // host names, besides loopback ones and bare addresses, that requests may name
	Import     importers.Options // limits of what is read
	Embedded   *app.Embedded     // judge; nil compares words only
	Lake       *lake.Lake        // stores evidence bundles and their artifacts; nil disables them

	Rate          limits.Rate          // how often a token may ask the API
	LoginFailures limits.LoginFailures // how many wrong passwords an address may send
	Work          *quota.Pool          // memory that requests share; nil for no bound

	Version string // of the program, shown at the foot of pages; "" if none

	SecurityContacts []string // URIs for reports of vulnerabilities, for security.txt; none for no such file

	TraceViewer string // address of a trace in the operator's viewer, with {trace_id}; "" if none

	Gallery bool   // serve /dev/gallery, the components in each of their states; of the demo alone
	Guide   string // id of the session that newcomers are led through, "" for no guide; of the demo alone

	WebhookAllow []netip.Prefix // networks that webhooks may go to besides public ones

	ModelTest ModelTest // how an endpoint that judges is tested

	Mail *Mail // nil if notifications are not mailed

	Stopping <-chan struct{} // closed when the server is about to stop, which ends long-running answers; nil for never

	MetricsToken string            // required by GET /metrics; "" disables it
	Traces       *telemetry.Traces // nil if none
}

// Mail is what pages and metrics say of mail (rule N-5).
type Mail struct {
	From   string                   // address
	Daily  notify.Schedule          // when the daily mail is sent, where a tenant has no zone of its own
	Counts func() map[string]uint64 // ended attempts since the start, by outcome; nil for none
}

// ModelTest is how an endpoint that judges sessions is tested; the zero value is a server that tests none.
type ModelTest struct {
	Allow []netip.Prefix // networks that endpoints may be in although they are not public, also without TLS
	Try   func(ctx context.Context, e model.Endpoint, key string) model.Tried
	// Question is what Try asks, as a model reads it
	Question func() string
}

// Example returns the question of a test, "" if none is asked.
func (m ModelTest) Example() string {
	if m.Question == nil {
		return ""
	}
	return m.Question()
}

// Server holds what handlers need. Its own state concerns requests in progress only: locks, limits, watchers.
type Server struct {
	Store      *db.Store
	Log        *slog.Logger
	Now        func() time.Time
	NewID      func() string
	Keys       *keys.Box
	Hasher     *auth.Hasher
	Forbidden  *auth.Forbidden
	Authorizer access.Authorizer
	objects    access.Authorizer // the same without the scopes of tokens, for objects that an allowed action leads to
	secure     bool
	public     string
	hsts       string
	trustProxy bool
	hosts      []string
	Lake       *lake.Lake
	version    string
	guide      string   // id of a session, "" for no guide
	contacts   []string // of security.txt
	Mail       *Mail    // nil if notifications are not mailed
	pages      pages    // that people may be sent to
	Locks      limits.KeyedMutex
	attempts   *limits.Attempts
	refusals   *limits.Refusals
	work       *quota.Pool // nil for no bound
	accounts   *limits.Accounts
	described  func() *described // the API's description, made at the first request
	app        http.Handler      // what Handler returned

	stopping <-chan struct{} // Options.Stopping

	metrics      *telemetry.Metrics // nil if disabled
	metricsToken string
	traces       *telemetry.Traces
}

// NewServer returns the server that the handlers of all capabilities share.
func NewServer(o Options) *Server {
	s := &Server{
		Store: o.Store, Log: o.Log, Now: o.Now, NewID: o.NewID, Keys: o.Keys, Hasher: o.Hasher,
		Forbidden:  o.Forbidden,
		Authorizer: access.Narrowed{Authorizer: o.Authorizer}, objects: o.Authorizer,
		secure: o.Secure, public: o.Public, hsts: hstsOf(o.Subdomains), trustProxy: o.TrustProxy, hosts: o.Hosts, Lake: o.Lake,
		metricsToken: o.MetricsToken, traces: o.Traces, version: o.Version, guide: o.Guide,
		accounts: limits.NewAccounts(o.Rate), contacts: o.SecurityContacts, Mail: o.Mail,
		attempts: limits.NewAttempts(o.Store, o.Now, o.LoginFailures, o.Hasher.Slots()),
		refusals: limits.NewRefusals(), work: o.Work,
		stopping: o.Stopping,
	}
	if s.metricsToken != "" {
		s.metrics = telemetry.NewMetrics(func(ctx context.Context) bool { return s.notReady(ctx) == "" })
		s.metrics.Store(telemetry.Store{Queue: s.figures, Pools: s.Store.Pools, Listening: s.Store.Listening,
			Full: func() bool { return s.Store.Full() != "" }})
		s.metrics.Work(s.work, s.attempts.Queue)
		s.metrics.Reading(o.Embedded.Reading)
		s.metrics.Content(func() (time.Time, int) {
			p := s.Store.LastPass()
			return p.Finished, len(p.Faults)
		})
		if s.Mail != nil && s.Mail.Counts != nil {
			s.metrics.Mails(s.Mail.Counts, s.Store.MailsWaiting)
		}
	}
	return s
}

// Handler routes requests to the endpoints: guards first, then Echo.
func (s *Server) Handler(endpoints []Endpoint) http.Handler {
	s.described = sync.OnceValue(func() *described { return newDescribed(endpoints) })
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = echo.ExtractIPDirect()
	// The address is for the log, the list of devices, and the bound of wrong passwords (rule SEC-3); no permission
	// depends on it. Behind a proxy it is the nearest one in the header that is neither loopback nor private; a client
	// on the private network could forge it.
	if s.trustProxy {
		e.IPExtractor = echo.ExtractIPFromXFFHeader()
	}
	e.Pre(boundPath)
	e.Use(middleware.GzipWithConfig(middleware.GzipConfig{MinLength: minCompressed, Skipper: skipCompression}), countWrites)
	for _, at := range endpoints {
		e.Add(at.Method, at.Path, withRoute(at.Path, at.withinBody(s.allow(at))))
		if at.Method == http.MethodGet && at.Action != access.Public && !isAPI(at.Path) {
			s.pages.add(at.Path)
		}
	}
	s.app = s.guard(e)
	return s.app
}

// App returns what Handler returned: the whole app, with its guards.
func (s *Server) App() http.Handler { return s.app }
