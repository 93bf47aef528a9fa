package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"sanad/internal/auth"
	"sanad/internal/telemetry"
)

// contentSecurityPolicy allows our own files and nothing else: no inline code, no other host (rule SEC-7).
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

type requestIDKey struct{}

// guard wraps the router with what applies to every request: id, log line, security headers, host check, cross-origin
// check.
func (s *Server) guard(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(s.denyCrossOrigin))
	return s.observe(s.secureHeaders(s.checkHost(crossOrigin.Handler(headAsGet(next)))))
}

// observe assigns each request an id, turns a panic into a 500, writes one structured line per request, and counts it.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, route := s.NewID(), ""
		start := time.Now() // a duration for operators, not part of any result
		w.Header().Set("X-Request-Id", id)
		rec := &statusRecorder{ResponseWriter: w}
		ctx, endTrace := s.traces.Start(r)
		ctx = context.WithValue(context.WithValue(ctx, requestIDKey{}, id), routeKey{}, &route)
		ctx = context.WithValue(ctx, callerKey{}, &caller{token: bearer(r) != ""})
		r = r.WithContext(ctx)
		counted := s.metrics.Started()
		defer func() {
			p := recover()
			cause, _ := p.(error)
			aborted := errors.Is(cause, http.ErrAbortHandler)
			if p != nil && !aborted {
				s.Log.Error("panic", "request_id", id, "path", logPath(r, route), "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					plainFault(rec, r, http.StatusInternalServerError,
						"Something went wrong here; nothing was changed.")
				}
			}
			took := time.Since(start)
			counted(route, r.Method, rec.status, took)
			endTrace(route, rec.status)
			s.logRequest(r, route, rec, took)
			s.logRefusal(r, route, rec.status)
			if aborted {
				panic(p) // net/http then closes the connection, so that no client takes half an answer for a whole one
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// logRequest writes one log line for a request, with its trace id if there is one.
func (s *Server) logRequest(r *http.Request, route string, rec *statusRecorder, took time.Duration) {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	line := []any{"request_id", id, "method", logged(r.Method), "path", logPath(r, route), "status", rec.status,
		"bytes", rec.bytes, "ms", float64(took.Microseconds()) / 1000}
	if trace := telemetry.ID(r.Context()); trace != "" {
		line = append(line, "trace_id", trace)
	}
	s.Log.Info("request", line...)
}

// maxLogged bounds, in bytes, what the log takes of a request's own words.
const maxLogged = 24

// logPath returns what the log says of a request's path: the pattern of its route, whose parameters may be secrets,
// such as the token of a download. Of an unknown path it is the first segment, escaped and bounded: further ones may be
// anything, also a secret at a mistyped address (rule SEC-19).
func logPath(r *http.Request, route string) string {
	if route != "" {
		return route
	}
	first, _, more := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	if more {
		return "/" + logged(first) + "/…"
	}
	return "/" + logged(first)
}

// logged returns the beginning of a request's own words, without characters that could be taken for the log's.
func logged(words string) string {
	cut := len(words) > maxLogged
	words = strings.Map(func(r rune) rune {
		if r <= ' ' || r >= 0x7f || r == '"' || r == '\\' {
			return '?'
		}
		return r
	}, words[:min(len(words), maxLogged)])
	if cut {
		return words + "…"
	}
	return words
}

// headAsGet answers HEAD as GET; net/http leaves the body out.
func headAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			get := *r
			get.Method = http.MethodGet
			r = &get
		}
		next.ServeHTTP(w, r)
	})
}

// statusRecorder remembers status and size for the log.
type statusRecorder struct {
	http.ResponseWriter
	status, bytes int
}

func (r *statusRecorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *statusRecorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// hstsOf returns what tells browsers to come by TLS only, for a year (rule SEC-7). Subdomains are the operator's to
// decide about: they may be other people's, and a browser that was told so keeps to it.
func hstsOf(subdomains bool) string {
	if subdomains {
		return "max-age=31536000; includeSubDomains"
	}
	return "max-age=31536000"
}

// secureHeaders sets the headers that every answer carries.
func (s *Server) secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentSecurityPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Cache-Control", "no-store") // assets, which are the same for everybody, say otherwise
		if s.IsSecure(r) {
			h.Set("Strict-Transport-Security", s.hsts)
		}
		next.ServeHTTP(w, r)
	})
}

// IsSecure reports whether the browser connected over TLS: to this server, to a proxy that the operator names (Secure),
// or, if proxies are trusted, to one that says so in X-Forwarded-Proto. The header is believed from loopback and
// private addresses only.
func (s *Server) IsSecure(r *http.Request) bool {
	return s.secure || r.TLS != nil || s.trustProxy && isNear(r.RemoteAddr) &&
		r.Header.Get("X-Forwarded-Proto") == "https"
}

// Base is the address of this server in examples: the one that the operator gave, else the one that the request names.
func (s *Server) Base(r *http.Request) string {
	switch {
	case s.public != "":
		return s.public
	case s.IsSecure(r):
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// isNear reports whether a peer is on this machine or on its private network, as a proxy is.
func isNear(peer string) bool {
	host, _, err := net.SplitHostPort(peer)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

// checkHost refuses requests whose Host header names a foreign host, as DNS rebinding produces them (a foreign page
// points its own name at this server). It accepts loopback names, the names the operator configured (Options.Hosts) and
// bare IP addresses, which nobody can point elsewhere. A public server without a configured name can therefore be
// reached by its address only.
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.answersTo(hostName(r.Host)) {
			plainFault(w, r, http.StatusMisdirectedRequest,
				"This server does not answer to this name; its operator can add it (--public-url).")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Server) answersTo(host string) bool {
	return auth.IsLoopback(host) || net.ParseIP(host) != nil ||
		slices.ContainsFunc(s.hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// hostName returns a Host header without its port and brackets.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}
