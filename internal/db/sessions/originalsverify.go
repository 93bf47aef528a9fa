package sessions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"gocloud.dev/gcerrors"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// verifyOriginals compares the original files of a session's documents with the digests that were stored with them.
func (s *Store) verifyOriginals(ctx context.Context, tenant, id string) (faults []audit.ContentFault, err error) {
	type original struct{ document, key, digest string }
	var all []original
	err = s.Read(ctx, "VerifySession", func(t *sqldb.Tx) error {
		all, err = sqldb.Collect(t, `SELECT d.id, d.blob, d.blob_sha256 FROM documents d JOIN sessions s
			ON s.tenant_id = d.tenant_id AND s.no = d.session_no
			WHERE s.tenant_id = ? AND s.id = ? AND d.blob <> ''
			ORDER BY d.position`, []any{tenant, id},
			func(r sqldb.Scanner, o *original) error { return r.Scan(&o.document, &o.key, &o.digest) })
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, o := range all {
		digest, err := s.originalDigest(ctx, o.key)
		switch {
		case gcerrors.Code(err) == gcerrors.NotFound:
			digest = "it is gone"
		case err != nil:
			return nil, sqldb.Fail("VerifySession", err)
		}
		if digest == o.digest {
			continue
		}
		still := 0 // it may have been erased meanwhile, since the list was read
		err = s.Read(ctx, "OriginalStands", func(t *sqldb.Tx) error {
			return t.Row("SELECT count(*) FROM documents WHERE tenant_id = ? AND id = ? AND blob = ?",
				[]any{tenant, o.document, o.key}, &still)
		})
		if err != nil {
			return nil, err
		}
		if still > 0 {
			faults = append(faults, audit.ContentFault{Tenant: tenant, Session: id, Kind: audit.FaultFile, Part: "documents",
				Document: o.document, Detail: digest})
		}
	}
	return faults, nil
}

// originalDigest returns the SHA-256 of an original in the bucket, in hex.
func (s *Store) originalDigest(ctx context.Context, key string) (string, error) {
	r, err := s.Needs.Files.NewReader(ctx, key, nil)
	if err != nil {
		return "", err
	}
	defer r.Close() //nolint:errcheck // opened for reading only
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
