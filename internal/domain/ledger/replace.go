package ledger

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// MaxDocuments is the most documents a session may have, including older versions.
const MaxDocuments = 1000

// Replace takes a document out of use, as Withdraw does, and adds a newer version of it as the session's last document,
// which is cited and judged from the next run on. The newer one supersedes the older, gets its Key with a number
// appended, and inherits filename, title, address, language and source quality where it has none. Dates are never
// inherited: they describe the older version. It returns the Changes that Withdraw returns. Errors, after which the
// session is unchanged: Conflict if the document is not in use, TooLarge if the session has MaxDocuments. Precondition:
// newer has its ids and chunks; why is not empty.
func (s *Session) Replace(position int, newer Document, why string, at time.Time) ([]Change, error) {
	if len(s.Documents) >= MaxDocuments {
		return nil, domain.TooLargef("",
			"The session has %d documents, as many as it may; start a new one with those that are in use.",
			len(s.Documents))
	}
	affected, done := s.Withdraw(position, why, at)
	if !done {
		return nil, domain.Conflictf("This document is out of use already; its newer version is replaced instead, where there is one.")
	}
	old := s.Document(position)
	newer.Key, newer.Supersedes, newer.Status = s.keyBehind(old.Key), old.Key, Ready
	newer.Position = s.Documents[len(s.Documents)-1].Position + 1
	newer.Filename, newer.Title = cmp.Or(newer.Filename, old.Filename), cmp.Or(newer.Title, old.Title)
	newer.URI, newer.Lang = cmp.Or(newer.URI, old.URI), cmp.Or(newer.Lang, old.Lang)
	newer.SourceQuality = cmp.Or(newer.SourceQuality, old.SourceQuality)
	s.Documents = append(s.Documents, newer)
	return affected, nil
}

var versionMark = regexp.MustCompile(` \(\d+\)$`)

// keyBehind returns key with the lowest number from 2 up that makes it unique, in place of any number it has.
func (s *Session) keyBehind(key string) string {
	key = text.Slice(versionMark.ReplaceAllString(key, ""), text.Span{End: 190}) // an id has at most 200 code points
	for n := 2; ; n++ {
		next := fmt.Sprintf("%s (%d)", key, n)
		if !slices.ContainsFunc(s.Documents, func(d Document) bool { return d.Key == next }) {
			return next
		}
	}
}
