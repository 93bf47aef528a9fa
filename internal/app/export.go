package app

import (
	"bytes"
	"context"
	"io"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
)

// ExportLedger renders the whole ledger of a loaded session and logs the export. It returns the file only if the log
// entry was stored, so that nobody receives a file that was not logged. A format that streams is rendered while the
// file is written, which then fails only if the writer does; all others are complete when it returns.
func ExportLedger(
	ctx context.Context, store *db.Store, who access.Actor, s *ledger.Session, f exporters.Format,
	language exporters.Language,
) (io.WriterTo, error) {
	tenant, err := store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	whole := ledger.Assess(s, tenant.FreshnessMonths)
	l := whole.Findings()
	file, err := exported(ctx, store, who, &tenant, &l, f, language)
	if err != nil {
		return nil, err
	}
	return file, store.LogEvent(ctx, who, db.SessionExported(s, f.Name, string(f.OneLanguage(language))))
}

// exported renders a ledger, unless its format streams.
func exported(
	ctx context.Context, store *db.Store, who access.Actor, tenant *db.Tenant, l *ledger.Ledger, f exporters.Format,
	language exporters.Language,
) (io.WriterTo, error) {
	var data []byte
	var err error
	switch {
	case f.Streams:
		return streamed{ledger: l, format: f, language: language}, f.CheckLanguage(language)
	case f.Name == exporters.SignedFormat:
		data, err = signedExport(ctx, store, who, l)
	default:
		data, err = f.Under(&tenant.Letter, tenant.Zone()).RenderIn(l, language)
	}
	return bytes.NewReader(data), err
}

// streamed is a file that is rendered while it is written.
type streamed struct {
	ledger   *ledger.Ledger
	format   exporters.Format
	language exporters.Language
}

func (s streamed) WriteTo(w io.Writer) (int64, error) {
	var n counter
	err := s.format.WriteIn(io.MultiWriter(w, &n), s.ledger, s.language)
	return int64(n), err
}

// counter counts the bytes that are written to it.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

// signedExport returns the JSON export with the signature of the tenant's key, by which another store that trusts the
// key recognises that nobody has changed it.
func signedExport(ctx context.Context, store *db.Store, who access.Actor, l *ledger.Ledger) ([]byte, error) {
	statement, err := exporters.ExportStatement(l)
	if err != nil {
		return nil, err
	}
	signature, key, err := store.SignWith(ctx, who, pack.PAE(pack.PayloadType, statement))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = exporters.SignedJSON(&b, l, pack.NewEnvelope(statement, signature, key.ID))
	return b.Bytes(), err
}
