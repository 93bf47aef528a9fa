package models

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/erasure"
)

// ForgetSession deletes what models were asked and answered about a session.
func (s *Store) ForgetSession(t *sqldb.Tx, tenant, _ string, no int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Session, tenant, "session_no = ?", no)
}

// ForgetWords deletes what models answered about a session, which may repeat an erased document, with the digests of
// it.
func (s *Store) ForgetWords(t *sqldb.Tx, tenant, _ string, no int) error {
	return auditlog.Erase(t, ErasureClaims, erasure.Document, tenant, "session_no = ?", no)
}

// ErasureClaims are what an erasure does to the tables of models.
var ErasureClaims = []auditlog.Claim{
	{Kind: erasure.Session, Does: auditlog.Deletes, By: "session_no = ?", Of: auditlog.Rows(
		"model_answers", "model_calls")},
	{Kind: erasure.Document, Does: auditlog.Deletes, By: "session_no = ?", Of: auditlog.Rows(
		"model_answers")},
	{Kind: erasure.Document, Does: auditlog.Empties, By: "session_no = ?", Of: []auditlog.Columns{
		{Table: "model_calls", Names: "question = '', answer = ''"},
	}},
	{Kind: erasure.Document, Does: auditlog.Keeps, Why: "that a model was asked, and what it cost",
		Of: []auditlog.Columns{
			{Table: "model_calls", Names: "endpoint_id, job_id, at, kind, model, template, fault"},
		}},
	{Does: auditlog.Keeps, Why: "which models a tenant uses, and sums of what they cost", Of: []auditlog.Columns{
		{Table: "model_endpoints", Names: "id, name, kind, url, model, sealed, created_at, created_by, " +
			"changed_at, changed_by, " +
			"disabled_at"},
		{Table: "model_spending", Names: "endpoint_id, day"},
	}},
}
