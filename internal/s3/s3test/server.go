// Package s3test is an S3 service in memory, for tests: objects with ETags, lists, and writes on a condition. Real
// services are tested by make thorough.
package s3test

import (
	"cmp"
	"crypto/md5" //nolint:gosec // what S3 has as an ETag
	"encoding/hex"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Server is one bucket. It asks for no signature.
type Server struct {
	URL  string      // of the bucket, for blob.OpenBucket
	Down atomic.Bool // every request is refused
	Cut  atomic.Bool // a write that is refused is not answered, as by a service that refuses before it has read all
	Lose atomic.Bool // the answer to the next write is lost, which itself is done

	mu      sync.Mutex
	objects map[string]object
}

type object struct {
	data []byte
	at   time.Time
}

func (o object) tag() string {
	sum := md5.Sum(o.data) //nolint:gosec // see above
	return `"` + hex.EncodeToString(sum[:]) + `"`
}

// Start runs a server until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s := &Server{objects: map[string]object{}}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.URL = "s3://bucket?region=x&use_path_style=true&anonymous=true&endpoint=" + srv.URL
	return s
}

// Keys returns the keys of all objects, in order.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sorted("", "")
}

// Object returns an object's bytes, nil if none.
func (s *Server) Object(key string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.objects[key].data
}

// Put writes an object without a condition.
func (s *Server) Put(key string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[key] = object{data, time.Now()}
}

func (s *Server) sorted(prefix, after string) (keys []string) {
	for key := range s.objects {
		if strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		refuse(w, http.StatusBadRequest, "IncompleteBody")
		return
	}
	if s.Down.Load() {
		refuse(w, http.StatusForbidden, "AccessDenied") // of a kind that the client does not try again
		return
	}
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	o, there := s.objects[key]
	switch {
	case key == "":
		s.list(w, r)
	case r.Method == http.MethodPut:
		match, none := r.Header.Get("If-Match"), r.Header.Get("If-None-Match")
		switch {
		case match != "" && !there:
			refuse(w, http.StatusNotFound, "NoSuchKey")
		case none == "*" && there && s.Cut.Load():
			panic(http.ErrAbortHandler)
		case none == "*" && there, match != "" && match != o.tag():
			refuse(w, http.StatusPreconditionFailed, "PreconditionFailed")
		default:
			o = object{body, time.Now()}
			s.objects[key] = o
			w.Header().Set("ETag", o.tag())
			if s.Lose.CompareAndSwap(true, false) {
				panic(http.ErrAbortHandler)
			}
		}
	case !there:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	case r.Method == http.MethodDelete:
		delete(s.objects, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		w.Header().Set("ETag", o.tag())
		http.ServeContent(w, r, "", o.at, strings.NewReader(string(o.data)))
	}
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	type content struct {
		Key, LastModified, ETag string
		Size                    int
	}
	answer := struct {
		XMLName     xml.Name `xml:"ListBucketResult"`
		IsTruncated bool
		Contents    []content
	}{}
	q := r.URL.Query()
	size, err := strconv.Atoi(cmp.Or(q.Get("max-keys"), "1000"))
	if err != nil || q.Get("delimiter") != "" || q.Get("continuation-token") != "" {
		refuse(w, http.StatusNotImplemented, "NotImplemented")
		return
	}
	for _, key := range s.sorted(q.Get("prefix"), q.Get("start-after")) {
		o := s.objects[key]
		answer.Contents = append(answer.Contents, content{Key: key, LastModified: o.at.UTC().Format(time.RFC3339),
			ETag: o.tag(), Size: len(o.data)})
	}
	if len(answer.Contents) > size && size < 1000 { // smaller pages are not asked for by the token of the last
		answer.Contents = answer.Contents[:size]
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(answer) // of strings and numbers
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_ = xml.NewEncoder(w).Encode(struct { // of strings
		XMLName xml.Name `xml:"Error"`
		Code    string
	}{Code: code})
}
