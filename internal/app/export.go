package app

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
)

// Export is a ledger as a file. It is complete, and logged: nobody receives a file that was not.
type Export struct {
	Session *ledger.Session // of a format that Streams, without its claims
	data    []byte          // the file; nil if it is on the disk
	file    *os.File
	named   bool // its folder shows it
}

// WriteTo writes the file; it fails only if the writer does, or the disk.
func (x *Export) WriteTo(w io.Writer) (int64, error) {
	if x.file == nil {
		n, err := w.Write(x.data)
		return int64(n), err
	}
	if _, err := x.file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	return io.Copy(w, x.file)
}

// Close removes the file. It must be called once nobody needs the file any more, whether it was sent or not.
func (x *Export) Close() error {
	if x.file == nil {
		return nil
	}
	err := x.file.Close()
	if x.named {
		err = errors.Join(err, os.Remove(x.file.Name()))
	}
	return err
}

// ExportLedger renders the whole ledger of a session as somebody may read it, and logs the export. Of a format that
// Streams, neither the ledger nor the file is held in memory: the file is made in the system's folder for temporary
// files, and has no name there, so that nothing of it is left whatever happens.
func ExportLedger(
	ctx context.Context, store *db.Store, who access.Actor, id string, f exporters.Format, language exporters.Language,
) (*Export, error) {
	out, err := exported(ctx, store, who, id, f, language)
	if err != nil {
		return nil, err
	}
	if err := store.LogEvent(ctx, who, db.SessionExported(out.Session, f.Name, string(f.OneLanguage(language)))); err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

func exported(
	ctx context.Context, store *db.Store, who access.Actor, id string, f exporters.Format, language exporters.Language,
) (*Export, error) {
	if !f.Streams {
		return exportedAtOnce(ctx, store, who, id, f, language)
	}
	file, err := os.CreateTemp("", "export-*") // mode 0600
	if err != nil {
		return nil, err
	}
	out := &Export{file: file, named: os.Remove(file.Name()) != nil} // some systems do not remove an open file
	if f.Name == exporters.SignedFormat {
		err = out.signed(ctx, store, who, id)
	} else {
		err = out.read(ctx, store, who, id, func(l *ledger.Ledger, w io.Writer) error { return f.WriteIn(w, l, language) })
	}
	if err != nil {
		return nil, errors.Join(err, out.Close())
	}
	return out, nil
}

// read writes the file of a ledger that is read, from its beginning.
func (x *Export) read(ctx context.Context, store *db.Store, who access.Actor, id string,
	write func(l *ledger.Ledger, w io.Writer) error) error {
	return store.ReadLedger(ctx, who, id, func(l *ledger.Ledger) error {
		x.Session = l.Session
		if _, err := x.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if err := x.file.Truncate(0); err != nil {
			return err
		}
		w := bufio.NewWriterSize(x.file, 1<<16)
		if err := write(l, w); err != nil {
			return err
		}
		return w.Flush()
	})
}

// exportedAtOnce renders a format that needs all claims at once.
func exportedAtOnce(
	ctx context.Context, store *db.Store, who access.Actor, id string, f exporters.Format, language exporters.Language,
) (*Export, error) {
	tenant, err := store.Tenant(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	s, err := store.SessionFor(ctx, who, id)
	if err != nil {
		return nil, err
	}
	whole := ledger.Assess(s, tenant.FreshnessMonths)
	l := whole.Findings()
	data, err := f.Under(&tenant.Letter, tenant.Zone()).RenderIn(&l, language)
	return &Export{Session: s, data: data}, err
}

// signed writes the JSON export with the signature of the tenant's key, by which another store that trusts the key
// recognises that nobody has changed it. It is signed when the store has been read: signing may write.
func (x *Export) signed(ctx context.Context, store *db.Store, who access.Actor, id string) error {
	var statement []byte
	var sign func(io.Writer, *pack.Envelope) error
	err := x.read(ctx, store, who, id, func(l *ledger.Ledger, w io.Writer) (err error) {
		if statement, err = exporters.ExportStatement(l); err != nil {
			return err
		}
		sign, err = exporters.SignedJSON(w, l)
		return err
	})
	if err != nil {
		return err
	}
	signature, key, err := store.SignWith(ctx, who, pack.PAE(pack.PayloadType, statement))
	if err != nil {
		return err
	}
	return sign(x.file, pack.NewEnvelope(statement, signature, key.ID))
}
