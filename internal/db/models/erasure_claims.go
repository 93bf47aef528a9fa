package models

import (
	"sanad/internal/db/auditlog"
	"sanad/internal/domain/erasure"
)

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
