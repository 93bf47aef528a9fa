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

// MaxDocuments is how many documents a session may have, older versions among them.
const MaxDocuments = 1000

// Replace takes a document out of use, as Withdraw does, for a newer version of it, which becomes the session's last
// document: what is cited and judged from the next run on. The newer one supersedes the older, has its Key with a
// number behind it, and takes from it what it does not say: filename, title, address, language and source quality.
// Dates are never taken over: they were the older version's. It returns the Changes that Withdraw gives. Errors: a
// document that is not in use is a Conflict, a session of MaxDocuments TooLarge; the session is then as it was.
// Precondition: newer has its ids and chunks; why is not empty.
func (s *Session) Replace(position int, newer Document, why string, at time.Time) ([]Change, error) {
	if len(s.Documents) >= MaxDocuments {
		return nil, domain.TooLargef("", "The session has %d documents, as many as it may; start a new one with those that are in use.", len(s.Documents))
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

// keyBehind returns key with the first number from 2 that no document has, in place of the number that it has.
func (s *Session) keyBehind(key string) string {
	key = text.Slice(versionMark.ReplaceAllString(key, ""), text.Span{End: 190}) // an id has at most 200 code points
	for n := 2; ; n++ {
		next := fmt.Sprintf("%s (%d)", key, n)
		if !slices.ContainsFunc(s.Documents, func(d Document) bool { return d.Key == next }) {
			return next
		}
	}
}
