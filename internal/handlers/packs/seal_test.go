package packs_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// The page says "just now" only where it hashed the stored files for this answer, and otherwise when they were hashed,
// at most ten minutes ago.
func TestPackPageSaysWhenItWasVerified(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec-1")
	const now, earlier = "verified just now, from the stored files:", "verified from the stored files at"
	at := regexp.MustCompile(`(?s)verified [^<]*<time datetime="([^"]+)"`)
	begun := s.Clock.Now()
	looks := func(says string, when time.Time) {
		t.Helper()
		_, page := s.Page("viewer", "/packs/"+p.PackID)
		require.Contains(t, page, "Everything is valid, and our key signed it")
		require.Contains(t, page, says)
		stamp, err := time.Parse(time.RFC3339, at.FindStringSubmatch(page)[1])
		require.NoError(t, err)
		require.WithinDuration(t, when, stamp, time.Minute)
	}
	looks(now, begun)
	s.Clock.Move(9 * time.Minute)
	looks(earlier, begun)
	s.Clock.Move(time.Minute)
	looks(now, s.Clock.Now())

	_, err := s.Store.RotateKey(context.Background(), access.AtCommandLine(s.Tenant.ID), "sign")
	require.NoError(t, err)
	looks(now, s.Clock.Now()) // with the key that was in use then
	s.Clock.Move(-30 * time.Minute)
	looks(now, s.Clock.Now()) // a result of the future counts as none
}

// Somebody with the database changes what was signed: content that is shown is verified anew at once, a file after ten
// minutes, and neither is handed out.
func TestChangedPackIsNotHandedOut(t *testing.T) {
	const valid, says = "Everything is valid, and our key signed it", "are not those that were signed"
	for name, c := range map[string]struct {
		change []string
		seen   bool // at the next visit, not only ten minutes later
	}{
		"the PDF": {change: []string{"DROP TRIGGER pack_files_keep",
			"UPDATE pack_files SET data = CAST('changed' AS BLOB) WHERE name = '" + pack.FilePDF + "'"}},
		"the envelope": {change: []string{"DROP TRIGGER pack_files_keep",
			"UPDATE pack_files SET sha256 = 'x', data = CAST('{}' AS BLOB) WHERE name = 'pack.dsse.json'"}, seen: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := webtest.NewServer(t)
			p := s.Signed("dec-1")
			path := "/packs/" + p.PackID
			_, page := s.Page("approver", path)
			require.Contains(t, page, valid)
			w := s.As("approver").Post(path+"/exports", webtest.Form("format", "markdown"))
			require.Equal(t, 303, w.Code)
			link := w.Header().Get("Location") + "/file"
			require.Equal(t, 200, s.As("approver").Do("GET", link, "").Code)

			file := dbtest.Raw(t, s.Dir)
			for _, change := range c.change {
				_, err := file.Exec(change)
				require.NoError(t, err, change)
			}
			require.NoError(t, file.Close())
			events, err := s.Store.Events(context.Background(), s.Tenant.ID, 0, 5000)
			require.NoError(t, err)
			w = s.As("approver").Do("GET", link, "")
			require.Equal(t, 503, w.Code)
			require.Contains(t, w.Body.String(), says)
			after, err := s.Store.Events(context.Background(), s.Tenant.ID, 0, 5000)
			require.NoError(t, err)
			require.Len(t, after, len(events), "no export is recorded that did not happen")

			_, page = s.Page("approver", path)
			if c.seen {
				require.NotContains(t, page, valid)
			} else {
				require.Contains(t, page, valid)
				require.Contains(t, page, "verified from the stored files at", "which was so then")
			}
			s.Clock.Move(10 * time.Minute)
			for range 2 {
				_, page = s.Page("approver", path)
				require.NotContains(t, page, valid, "a bad result is never kept")
				require.Contains(t, page, "verified just now")
			}
		})
	}
}
