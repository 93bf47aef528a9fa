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

// MaxClaims is how many claims a session may have (rule SEC-9).
const MaxClaims = 100_000

// The most that the documents of a session may have, including those out of use: in number, in chunks, and in bytes of
// text (rule SEC-9). They hold for what an import brings and for what is added later, all together.
const (
	MaxDocuments = 1000
	MaxChunks    = 200_000
	MaxText      = 128 << 20
)

// roomFor refuses documents with which the session would be over a limit.
func (s *Session) roomFor(added []Document) error {
	if n := len(s.Documents) + len(added); n > MaxDocuments {
		return domain.Refuse(domain.TooLarge, "documents", "refused_add_room", "N", n, "Most", MaxDocuments)
	}
	chunks, size := 0, 0
	for _, list := range [][]Document{s.Documents, added} {
		for i := range list {
			chunks += len(list[i].Chunks)
			for j := range list[i].Chunks {
				size += len(list[i].Chunks[j].Text)
			}
		}
	}
	if chunks > MaxChunks {
		return domain.Refuse(domain.TooLarge, "documents", "refused_add_passages", "N", chunks, "Most", MaxChunks)
	}
	if size > MaxText {
		return domain.Refuse(domain.TooLarge, "documents", "refused_add_text", "N", (size+1<<20-1)>>20, "Most",
			MaxText>>20)
	}
	return nil
}

// Replace takes a document out of use, as Withdraw does, and adds a newer version of it as the session's last document,
// which is cited and judged from the next run on. The newer one supersedes the older, gets its Key with a number
// appended, and inherits filename, title, address, language and source quality where it has none. Dates are never
// inherited: they describe the older version. It returns the Changes that Withdraw returns. Errors, after which the
// session is unchanged: Conflict if the document is not in use, TooLarge if the session would have more than
// MaxDocuments, MaxChunks or MaxText. Precondition: newer has its ids and chunks; why is not empty.
func (s *Session) Replace(position int, newer Document, why string, at time.Time) ([]Change, error) {
	if len(s.Documents) >= MaxDocuments {
		return nil, domain.Refuse(domain.TooLarge, "", "refused_add_full", "N", len(s.Documents))
	}
	if err := s.roomFor([]Document{newer}); err != nil {
		return nil, err
	}
	affected, done := s.Withdraw(position, why, at)
	if !done {
		return nil, domain.Refuse(domain.Conflict, "", "refused_add_replaced")
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
