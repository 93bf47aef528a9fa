package packs

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/audit"
	packsviews "sanad/internal/views/packs"
)

const (
	sealAge  = 10 * time.Minute // how long the viewer shows a result instead of hashing all files again
	maxSeals = 1000             // of some kilobytes each
)

// seals caches good results of verifying signed packs, by their content, so that a pack that is opened again is not
// hashed again. A page that shows a cached result says when it was found. Whatever hands out files verifies them again.
type seals struct {
	mu   sync.Mutex
	kept map[sealKey]*packsviews.Seal // never changed
}

// sealKey stands for all that a result depends on.
type sealKey [sha256.Size]byte

// sealKeyOf hashes a tenant, a pack's content as it was read, the rows of its files (sizes and digests as stored at
// sign-off) and the tenant's keys.
func sealKeyOf(tenant string, view *db.PackView, known []audit.PublicKey) (key sealKey) {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q %q %x\n", tenant, view.Life.PackID, sha256.Sum256(view.JSON)) // a hash never fails
	for _, f := range view.Files {
		_, _ = fmt.Fprintf(h, "%q %d %q\n", f.Name, f.Size, f.SHA256)
	}
	for _, k := range known {
		_, _ = fmt.Fprintf(h, "%q %q %x\n", k.ID, k.Purpose, k.Public)
	}
	h.Sum(key[:0])
	return key
}

// get returns a result that was found in the last ten minutes, nil if none.
func (s *seals) get(key sealKey, now time.Time) *packsviews.Seal {
	s.mu.Lock()
	defer s.mu.Unlock()
	seal := s.kept[key]
	if seal == nil || seal.At.After(now) || now.Sub(seal.At) >= sealAge {
		return nil
	}
	return seal
}

// put caches a good result, in place of the oldest one if there are too many. A bad result is never cached.
func (s *seals) put(key sealKey, seal *packsviews.Seal) {
	if !seal.Report.OK() {
		return
	}
	earlier, report := *seal, *seal.Report
	report.Content = nil // no page shows it from here
	earlier.Report, earlier.Now = &report, false
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[sealKey]*packsviews.Seal{}
	}
	if _, there := s.kept[key]; !there && len(s.kept) >= maxSeals {
		var oldest sealKey
		at := seal.At
		for k, v := range s.kept {
			if !v.At.After(at) {
				oldest, at = k, v.At
			}
		}
		delete(s.kept, oldest)
	}
	s.kept[key] = &earlier
}
