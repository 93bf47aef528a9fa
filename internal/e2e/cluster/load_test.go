package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// client is a program with a token.
type client struct {
	url, token string
	http       *http.Client
}

// send sends one request; an error means that the answer was missing or incomplete.
func (c *client) send(method, path, body string) (status int, answer []byte, err error) {
	req, err := http.NewRequestWithContext(context.Background(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("If-Match", "*")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	var whole bytes.Buffer
	_, err = io.Copy(&whole, res.Body)
	_ = res.Body.Close() // the server may be gone
	return res.StatusCode, whole.Bytes(), err
}

// failure is a request without a good answer.
type failure struct {
	began, ended time.Time
	says         string
}

// load is what writers and readers do, and what was acknowledged.
type load struct {
	*client
	stop    chan struct{}
	running sync.WaitGroup

	mu       sync.Mutex
	statuses map[int]int
	failures []failure
	sessions []string            // of the writers, one each
	reviews  map[string][]string // session → reasons that were acknowledged
	imports  []string            // external ids that were acknowledged
	tried    int                 // writes that were sent
	times    []time.Time         // when a write was acknowledged
	round    int                 // how often writers were started
}

const (
	writers, readers = 100, 100
	// how long a writer and a reader pause between requests: together they ask for less than two processors can answer
	writerPause, readerPause = 2500 * time.Millisecond, 1500 * time.Millisecond
)

func newLoad(m *machines, token string) *load {
	transport := &http.Transport{MaxIdleConnsPerHost: writers + readers}
	m.t.Cleanup(transport.CloseIdleConnections)
	return &load{
		client:   &client{"http://" + m.publicA, token, &http.Client{Transport: transport, Timeout: patience}},
		statuses: map[int]int{}, reviews: map[string][]string{},
	}
}

// note counts an answer and reports whether it is the one that is wanted.
func (l *load) note(began time.Time, status int, answer []byte, err error, want int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil || status >= 500 {
		l.failures = append(l.failures, failure{began, time.Now(), fmt.Sprintf("%d %.200s %v", status, answer, err)})
		return false
	}
	l.statuses[status]++
	return status == want
}

// importOne imports a small session and returns its id, "" if that was not acknowledged.
func (l *load) importOne(name string) string {
	body := fmt.Sprintf(`{"format":"sanad.session/v1","session":{"external_id":%q,"answer":"Leave is 15 days."},`+
		`"documents":[{"id":"d","text":%q}]}`, name, name+" Leave is 15 days.")
	began := time.Now()
	status, answer, err := l.send("POST", "/api/v1/sessions", body)
	if !l.note(began, status, answer, err, http.StatusCreated) {
		return ""
	}
	var is struct {
		ID string `json:"session_id"`
	}
	_ = json.Unmarshal(answer, &is) // an id is missed
	l.mu.Lock()
	defer l.mu.Unlock()
	l.imports, l.times = append(l.imports, name), append(l.times, time.Now())
	return is.ID
}

func (l *load) review(session, reason string) {
	began := time.Now()
	status, answer, err := l.send("POST", "/api/v1/sessions/"+session+"/claims/1/reviews",
		fmt.Sprintf(`{"action":"comment","reason":%q}`, reason))
	if l.note(began, status, answer, err, http.StatusCreated) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.reviews[session], l.times = append(l.reviews[session], reason), append(l.times, time.Now())
	}
}

// begin starts the writers and readers.
func (l *load) begin(t *testing.T) {
	t.Helper()
	for i := len(l.sessions); i < writers; i++ {
		id := l.importOne(fmt.Sprint("shared-", i))
		require.NotEmpty(t, id, l.failures)
		l.sessions = append(l.sessions, id)
	}
	l.stop = make(chan struct{})
	l.round++
	round := l.round
	for i := range writers {
		l.running.Go(func() { l.repeat(i, writerPause, func(n int) { l.write(round, i, n) }) })
	}
	for i := range readers {
		l.running.Go(func() { l.repeat(i, readerPause, func(n int) { l.read(i, n) }) })
	}
}

// repeat does something until the load ends; those who do the same begin one after another.
func (l *load) repeat(i int, pause time.Duration, do func(n int)) {
	for n, wait := 0, pause*time.Duration(i)/writers; ; n, wait = n+1, pause {
		select {
		case <-l.stop:
			return
		case <-time.After(wait):
			do(n)
		}
	}
}

func (l *load) write(round, who, n int) {
	l.mu.Lock()
	l.tried++
	l.mu.Unlock()
	if n%4 == 3 {
		l.importOne(fmt.Sprintf("own-%d-%d-%d", round, who, n))
		return
	}
	l.review(l.sessions[who], fmt.Sprintf("round %d, writer %d, %d", round, who, n))
}

func (l *load) read(who, n int) {
	path := []string{"/api/v1/sessions", "/api/v1/sessions/" + l.sessions[who%writers] + "/ledger"}[n%2]
	began := time.Now()
	status, answer, err := l.send("GET", path, "")
	l.note(began, status, answer, err, http.StatusOK)
}

// end lets everybody finish what they do.
func (l *load) end() {
	close(l.stop)
	l.running.Wait()
}

// acknowledged returns how many writes were acknowledged.
func (l *load) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.times)
}

// awaitMore waits until more writes are acknowledged.
func (l *load) awaitMore(t *testing.T, more int) {
	t.Helper()
	enough := l.acknowledged() + more
	await(t, "writes go on", func() bool { return l.acknowledged() >= enough })
}

// silence returns the longest time between two acknowledgements of which the second came after a moment.
func (l *load) silence(after time.Time) (longest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := 1; i < len(l.times); i++ {
		if l.times[i].After(after) {
			longest = max(longest, l.times[i].Sub(l.times[i-1]))
		}
	}
	return longest
}

// failed takes the failures.
func (l *load) failed() []failure {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.failures
	l.failures = nil
	return out
}

// requireKept checks that all that was acknowledged is there, and nothing twice.
func (l *load) requireKept(t *testing.T, s *server) {
	t.Helper()
	stored := strings.Fields(s.sql("SELECT external_id FROM sessions"))
	slices.Sort(stored)
	require.Len(t, slices.Compact(slices.Clone(stored)), len(stored), "a session is there twice")
	for _, name := range l.imports {
		_, found := slices.BinarySearch(stored, name)
		require.True(t, found, "session %s was acknowledged and is lost", name)
	}
	for session, reasons := range l.reviews {
		times := l.shown(t, session)
		for reason, n := range times {
			require.Equal(t, 1, n, "%s is there twice", reason)
		}
		for _, reason := range reasons {
			require.Equal(t, 1, times[reason], "the review %q was acknowledged and is lost", reason)
		}
	}
}

// login is a person who has signed in.
type login struct {
	who string
	jar http.CookieJar
}

// signIn signs in at the pages of a node or of HAProxy; false if that was not acknowledged.
func (l *load) signIn(address, who, password string) (login, bool) {
	jar, _ := cookiejar.New(nil) // never fails
	c := http.Client{Transport: l.http.Transport, Jar: jar, Timeout: patience, CheckRedirect: noRedirect}
	began := time.Now()
	res, err := c.PostForm(address+"/login", url.Values{"login": {who}, "password": {password}})
	status := 0
	if err == nil {
		status = res.StatusCode
		_, err = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close() // the server may be gone
	}
	return login{who, jar}, l.note(began, status, nil, err, http.StatusSeeOther)
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// works reports whether a login opens a page of its own at a node, with what came instead.
func (l *load) works(address string, by login) (says string, works bool) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, address+"/dashboard", nil)
	if err != nil {
		return err.Error(), false
	}
	req.Host = strings.TrimPrefix(l.url, "http://")
	c := http.Client{Transport: l.http.Transport, Jar: by.jar, Timeout: patience, CheckRedirect: noRedirect}
	res, err := c.Do(req)
	if err != nil {
		return err.Error(), false
	}
	_ = res.Body.Close() // only its status counts
	return res.Status + " " + res.Header.Get("Location"), res.StatusCode == http.StatusOK
}

// relayed is a request as HAProxy has logged it.
type relayed struct {
	began, ended time.Time
	server       string
	status       string
	state        string // how it ended: a letter S stands for the server
	line         string
}

var relayedLine = regexp.MustCompile(`(?m)^\S+ \[(\d+/\w+/\d+:[\d:.]+)\] \S+ web/(\S+) [-\d]+/[-\d]+/[-\d]+/[-\d]+/\+?([-\d]+) ` +
	`([-\d]+) \+?\d+ \S+ \S+ (\S{4}) .*$`)

// badlyRelayed returns what HAProxy could not answer well.
func badlyRelayed(t *testing.T, log string) (bad []relayed, all int) {
	t.Helper()
	for _, m := range relayedLine.FindAllStringSubmatch(log, -1) {
		all++
		began, err := time.ParseInLocation("02/Jan/2006:15:04:05.000", m[1], time.Local)
		require.NoError(t, err)
		took, err := time.ParseDuration(m[3] + "ms")
		require.NoError(t, err)
		if m[4] >= "500" || m[4] == "-1" || strings.ContainsAny(m[5][:1], "SPRI") {
			bad = append(bad, relayed{began: began, ended: began.Add(max(took, 0)), server: m[2], status: m[4], state: m[5],
				line: m[0]})
		}
	}
	return bad, all
}
