package ledger

import (
	"fmt"
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// AddDocuments adds documents as the session's last ones. Those without a Key get one. Errors, after which the session
// is unchanged: TooLarge if it would have more than MaxDocuments, MaxChunks or MaxText, Invalid if a Key is taken or a
// document supersedes one that the session does not have; the Path is "documents[i]" and the field. Claims stay as they
// are until TakeRun. Precondition: the documents have their ids and chunks.
func (s *Session) AddDocuments(added []Document, at time.Time) error {
	if err := s.roomFor(added); err != nil {
		return err
	}
	all := slices.Clone(s.Documents)
	position := 0
	if n := len(all); n > 0 {
		position = all[n-1].Position + 1
	}
	for i, d := range added {
		d.Position, d.Status = position+i, Ready
		all = append(all, d)
	}
	if err := nameAdded(all, len(s.Documents)); err != nil {
		return err
	}
	s.Documents = all
	s.UpdatedAt = at
	return nil
}

// nameAdded gives the documents from first on a Key where they have none, and checks those that they have.
func nameAdded(all []Document, first int) error {
	taken := map[string]int{}
	for i := range all {
		if all[i].Key == "" {
			continue
		}
		if _, ok := taken[all[i].Key]; ok && i >= first {
			return domain.Refuse(domain.Invalid, addedPath(i-first, "id"), "refused_add_id", "Name",
				words.Quoted(all[i].Key))
		}
		taken[all[i].Key] = i
	}
	for i := first; i < len(all); i++ {
		for n := i + 1; all[i].Key == ""; n++ {
			if key := fmt.Sprintf("doc_%03d", n); !hasKey(taken, key) {
				all[i].Key, taken[key] = key, i
			}
		}
		if older := all[i].Supersedes; older != "" && (!hasKey(taken, older) || older == all[i].Key) {
			return domain.Refuse(domain.Invalid, addedPath(i-first, "supersedes"), "refused_add_older", "Name",
				words.Quoted(older))
		}
	}
	return nil
}

func hasKey[K comparable](m map[K]int, n K) bool {
	_, ok := m[n]
	return ok
}

func addedPath(i int, field string) string { return fmt.Sprintf("documents[%d].%s", i, field) }

// Unsupported returns the indexes of the claims that more documents may help: all whose machine verdict is not
// Supported, also those that no judge could judge.
func (s *Session) Unsupported() []int {
	var out []int
	for i := range s.Claims {
		if e := s.entry(&s.Claims[i]); e.Machine != Supported && !e.State.Aside() {
			out = append(out, i)
		}
	}
	return out
}
