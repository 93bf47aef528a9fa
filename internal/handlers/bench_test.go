package handlers_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

// The ledger page of 50 claims with its styles and scripts takes at most 54 KB on the network, fonts not counted.
func TestBytesOfALedgerPage(t *testing.T) {
	s := webtest.NewServer(t)
	path := "/sessions/" + s.Create(webtest.ManyClaims(50)).SessionID
	assets := regexp.MustCompile(` (?:href|src)="(/static/[^"]+\.(?:css|js)[^"]*)"`).FindAllStringSubmatch(s.Do("GET",
		path, "").Body.String(), -1)
	require.Greater(t, len(assets), 3)
	total := 0
	for _, at := range append([][]string{{"", path}}, assets...) {
		res := s.Do("GET", at[1], "", "Accept-Encoding", "gzip")
		require.Equal(t, 200, res.Code, at[1])
		require.True(t, res.Header().Get("Content-Encoding") == "gzip" || res.Body.Len() < 1500, at[1])
		t.Logf("%6d bytes compressed: %s", res.Body.Len(), at[1])
		total += res.Body.Len()
	}
	t.Logf("%6d bytes in all", total)
	require.LessOrEqual(t, total, 54<<10)
}

// BenchmarkWhoAsks measures identifying the caller and authorizing the action: by cookie, by token, and without either.
func BenchmarkWhoAsks(b *testing.B) {
	s := webtest.BenchServer(b)
	p := s.Person("viewer")
	for _, c := range []struct {
		name, path string
		status     int
		headers    []string
	}{
		{name: "public", path: "/login/code", status: 303},
		{
			name: "cookie", path: "/sessions/none/citations/none", status: 404,
			headers: []string{"Cookie", "sanad=" + p.Cookie},
		},
		{
			name: "token", path: "/api/v1/citations/none", status: 404,
			headers: []string{"Authorization", "Bearer " + p.Token},
		},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := s.Serve(webtest.Request("GET", c.path, "", c.headers...)); w.Code != c.status {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

// BenchmarkFirstPage shows that the first page of a session costs the same with 200 claims and with 100,000 in it.
func BenchmarkFirstPage(b *testing.B) {
	for _, n := range []int{200, 100_000} {
		s := webtest.BenchServer(b)
		path := "/sessions/" + s.ImportNow(webtest.ManyClaims(n))
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			for b.Loop() {
				if w := s.Do("GET", path, ""); w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

// BenchmarkLedgerPart shows that a part of a ledger costs the API the same with 200 claims and with 100,000 in it.
func BenchmarkLedgerPart(b *testing.B) {
	for _, n := range []int{200, 100_000} {
		s := webtest.BenchServer(b)
		path := "/api/v1/sessions/" + s.ImportNow(webtest.ManyClaims(n)) + "/ledger"
		for _, part := range []string{"first", "middle", "filtered"} {
			query := map[string]string{"first": "?limit=50", "middle": fmt.Sprintf("?limit=50&from=%d", n/2),
				"filtered": "?limit=50&verdict=contradicted,weak"}[part]
			b.Run(fmt.Sprintf("claims=%d/%s", n, part), func(b *testing.B) {
				for b.Loop() {
					if w := s.Do("GET", path+query, ""); w.Code != 200 {
						b.Fatal(w.Code)
					}
				}
			})
		}
	}
}

// BenchmarkFullStore shows that a session's first page costs the same whatever else the store holds.
func BenchmarkFullStore(b *testing.B) {
	for _, n := range []int{200, 100_000} {
		s := webtest.BenchServer(b)
		path := "/sessions/" + s.Create(webtest.ManyClaims(50)).SessionID
		for done := 0; done < n; {
			size := min(n-done, 10_000)
			s.ImportNow(strings.Replace(webtest.ManyClaims(size), `"title":"Many"`,
				fmt.Sprintf(`"title":"Many %d"`, done), 1))
			done += size
		}
		b.Run(fmt.Sprintf("claims=%d", n), func(b *testing.B) {
			for b.Loop() {
				if w := s.Do("GET", path, ""); w.Code != 200 {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

// A page makes a fixed number of queries, however many claims it shows and the session has.
func TestPagesMakeAFixedNumberOfQueries(t *testing.T) {
	s := webtest.NewServer(t)
	paths := func(n int) []string {
		id := s.Create(webtest.ManyClaims(n)).SessionID
		return []string{"/sessions/" + id, "/sessions/" + id + "?verdict=weak&q=covered",
			"/sessions/" + id + "/confirm?verdict=weak&q=covered",
			"/sessions/" + id + "/claims/2", "/", "/sessions", "/sessions?q=item", "/search?q=item",
			"/search?q=covered&kind=claim"}
	}
	count := func(path string) int64 {
		before := s.Store.QueryCount()
		require.Equal(t, 200, s.Do("GET", path, "").Code, path)
		return s.Store.QueryCount() - before
	}
	small, large := paths(3), paths(1000)
	most := []int64{18, 19, 6, 13, 19, 6, 6, 12, 5} // of PostgreSQL; SQLite needs one less for a search
	for i := range small {
		few, many := count(small[i]), count(large[i])
		require.Positive(t, few)
		require.Equal(t, few, many, small[i])
		require.LessOrEqual(t, many, most[i], large[i])
	}
}

// BenchmarkPackPage measures the page of a signed pack: loading it, verifying its stored files (hashed) or with the
// result of a visit before (kept), rendering it.
func BenchmarkPackPage(b *testing.B) {
	for _, n := range []int{10, 100} {
		s := webtest.BenchServer(b)
		path, cookie := "/packs/"+s.SignedWith("dec-bench", n).PackID, "sanad="+s.Person("viewer").Cookie
		for _, c := range []struct {
			name  string
			apart time.Duration // of two visits
		}{{"kept", 0}, {"hashed", 10 * time.Minute}} {
			b.Run(fmt.Sprintf("sources=%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.Clock.Move(c.apart)
					c.apart = -c.apart // a result of the future is not used either
					if w := s.Serve(webtest.Request("GET", path, "", "Cookie", cookie)); w.Code != 200 {
						b.Fatal(w.Code)
					}
				}
			})
		}
	}
}
