package packs

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
)

// recorderOf returns the id of the member who recorded a decision, "" if a machine did: the word for what a system did
// and rests on is then theirs alone.
func recorderOf(t *sqldb.Tx, tenant, decisionID string) (string, error) {
	id, err := auditlog.ActorOf(t, tenant, "decision.added", "decision", decisionID)
	if err != nil || id == "" {
		return "", err
	}
	_, err = reads.Member(t, tenant, id)
	if domain.KindOf(err) == domain.NotFound || sqldb.NoRow(err) {
		return "", nil
	}
	return id, err
}
