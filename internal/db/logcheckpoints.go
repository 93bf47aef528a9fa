package db

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"sanad/internal/domain/audit"
)

// checkpointFiles keeps the newest checkpoint of each tenant in a file outside the database, so that replacing the
// database by an older copy is detected (rule LOG-3). A file is written after the commit and before the write is
// acknowledged: it is never ahead of the database, and lacks only unacknowledged changes. Concurrent writers share one
// write of the newest checkpoint. If a file can't be written, the change stays, since it is committed; Ready reports
// the fault until writing works again.
type checkpointFiles struct {
	dir string
	log *slog.Logger

	mu    sync.Mutex
	files map[string]*checkpointFile // by tenant
}

// checkpointFile is one tenant's file.
type checkpointFile struct {
	writing sync.Mutex // held while the file is written; don't wait for it while holding checkpointFile.mu

	newest  audit.Checkpoint // newest committed here; like text and fault guarded by checkpointFile.mu
	text    string
	written string // the text that this process wrote last
	fault   error  // why the newest is not in the file, nil if it is
}

const checkpointSuffix = ".checkpoint"

func (w *checkpointFiles) path(tenant string) string {
	return filepath.Join(w.dir, tenant+checkpointSuffix)
}

// read returns a tenant's file, "" if none.
func (w *checkpointFiles) read(tenant string) (string, error) {
	data, err := os.ReadFile(w.path(tenant))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}

// tenants returns the tenants that have files.
func (w *checkpointFiles) tenants() ([]string, error) {
	found, err := os.ReadDir(w.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []string
	for _, f := range found {
		if tenant, ok := strings.CutSuffix(f.Name(), checkpointSuffix); ok {
			out = append(out, tenant)
		}
	}
	return out, err
}

// later reports whether b has seen more of a log than a.
func later(a, b audit.Checkpoint) bool {
	return b.Epoch > a.Epoch || b.Epoch == a.Epoch && b.Size > a.Size
}

// offer writes a committed checkpoint to its file, unless a newer one was written.
func (w *checkpointFiles) offer(c audit.Checkpoint, text string) {
	w.mu.Lock()
	if w.files == nil {
		w.files = map[string]*checkpointFile{}
	}
	f := w.files[c.Tenant]
	if f == nil {
		f = &checkpointFile{}
		w.files[c.Tenant] = f
	}
	if f.text == "" || later(f.newest, c) {
		f.newest, f.text = c, text
	}
	w.mu.Unlock()
	w.flush(f)
}

// begin writes the checkpoint of an empty log, unless there is a file that says more.
func (w *checkpointFiles) begin(tenant, text string) {
	now, err := w.read(tenant)
	if c, bad := audit.Claimed(now); now != "" && (bad != nil || c.Tenant != tenant || c.Size > 0) {
		return // what it says is compared at the next start
	}
	if err == nil {
		err = os.MkdirAll(w.dir, 0o700)
	}
	if err == nil {
		err = writeAtomically(w.path(tenant), []byte(text))
	}
	if err != nil {
		w.log.Error("the first checkpoint of a log could not be written", "tenant", tenant, "err", err)
	}
}

// flush brings one file up to date. Callers that arrive while it is being written wait, and mostly find it done.
func (w *checkpointFiles) flush(f *checkpointFile) {
	f.writing.Lock()
	defer f.writing.Unlock()
	w.mu.Lock()
	c, text := f.newest, f.text
	done := f.written == text
	w.mu.Unlock()
	if done {
		return
	}
	err := w.write(f, c, text)
	if err != nil {
		w.log.Error("the checkpoint outside the database could not be written", "tenant", c.Tenant, "err", err)
	}
	w.mu.Lock()
	if f.fault = err; err == nil {
		f.written = text
	}
	w.mu.Unlock()
}

// write replaces the file, unless another process has written a newer one meanwhile.
func (w *checkpointFiles) write(f *checkpointFile, c audit.Checkpoint, text string) error {
	now, err := w.read(c.Tenant)
	if err != nil {
		return err
	}
	if now != "" && now != f.written {
		if other, err := audit.Claimed(now); err == nil && other.Tenant == c.Tenant && later(c, other) {
			return nil
		}
	}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return err
	}
	return writeAtomically(w.path(c.Tenant), []byte(text))
}

// retry writes the checkpoints that failed before, and returns those that still fail.
func (w *checkpointFiles) retry() error {
	w.mu.Lock()
	var late []*checkpointFile
	for _, f := range w.files {
		if f.fault != nil {
			late = append(late, f)
		}
	}
	w.mu.Unlock()
	var errs []error
	for _, f := range late {
		w.flush(f)
		w.mu.Lock()
		errs = append(errs, f.fault)
		w.mu.Unlock()
	}
	return errors.Join(errs...)
}
