package handlers

import (
	"context"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// contentSecurityPolicy allows our own files and nothing else: no inline code, no other host (spec page 6 "Web").
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

type requestIDKey struct{}

// guard stands before Echo: request id, log line, security headers, host check, cross-origin check.
func (s *Server) guard(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(s.denyCrossOrigin))
	return s.observe(secureHeaders(s.checkHost(crossOrigin.Handler(headAsGet(next)))))
}

// observe gives each request an id, turns a panic into a 500 and writes one structured line per request.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := s.newID()
		start := time.Now() // a duration for operators, not part of any result
		w.Header().Set("X-Request-Id", id)
		rec := &statusRecorder{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				s.log.Error("panic", "request_id", id, "path", logPath(r), "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					plainFault(rec, r, http.StatusInternalServerError, "Something went wrong here; nothing was changed.")
				}
			}
			s.log.Info("request", "request_id", id, "method", r.Method, "path", logPath(r), "status", rec.status,
				"bytes", rec.bytes, "ms", float64(time.Since(start).Microseconds())/1000)
		}()
		next.ServeHTTP(rec, r)
	})
}

// logPath is a request's path without what would let a reader of the log in: the token of a download link.
func logPath(r *http.Request) string {
	if strings.HasPrefix(r.URL.Path, "/downloads/") {
		return "/downloads/…"
	}
	return r.URL.Path
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

// secureHeaders sets what every answer carries.
func secureHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentSecurityPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Embedder-Policy", "require-corp")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// checkHost refuses requests that name a foreign host: without logins, a page elsewhere could otherwise reach the
// loopback server by pointing its own name at 127.0.0.1 (DNS rebinding).
func (s *Server) checkHost(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !IsLoopback(host) && !slices.Contains(s.hosts, host) {
			plainFault(w, r, http.StatusMisdirectedRequest, "This server answers only to its own address.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsLoopback tells whether host is a name or address of this machine's loopback.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}
