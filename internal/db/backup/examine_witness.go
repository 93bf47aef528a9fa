package backup

import (
	"context"
	"errors"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
)

// ExamineWitness compares every log of a database with its checkpoint outside, and returns how many it compared and
// what is wrong. It changes nothing; a server may be running on the database. Of a database that is missing, was made
// by another version or is of another master key it compares none: Examine says so.
func ExamineWitness(ctx context.Context, o db.Options) (logs int, faults []string, err error) {
	s, _, err := db.Inspecting(ctx, o)
	if err != nil || s.DB == nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, s.DB.Close()) }()
	if !isOurs(ctx, s) {
		return 0, nil, nil
	}
	if err := s.OpenCheckpoints(ctx, o.CheckpointsPlace()); err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, s.Checkpoints.Close()) }()
	tenants, err := s.AllTenants(ctx)
	if err != nil {
		return 0, nil, err
	}
	outside, err := s.Checkpoints.Tenants()
	if err != nil {
		return 0, nil, err
	}
	for _, tenant := range tenants {
		_, reason, err := s.CheckLog(ctx, tenant)
		if err != nil {
			return 0, nil, err
		}
		if reason != "" {
			faults = append(faults, "tenant "+tenant+": "+reason)
		}
	}
	for _, tenant := range auditlog.Orphans(tenants, outside) {
		faults = append(faults, "there is a checkpoint of tenant "+tenant+", which the database does not have")
	}
	return len(tenants), faults, nil
}

// isOurs reports whether this version made the database, with this master key.
func isOurs(ctx context.Context, s *db.Store) bool {
	done, err1 := knownSchema(ctx, s)
	known, err2 := sqldb.KnownMigrations(s.Engine)
	if errors.Join(err1, err2) != nil || len(done) < len(known) {
		return false
	}
	return s.Read(ctx, "checkMasterKey", s.CheckMasterKey) == nil
}
