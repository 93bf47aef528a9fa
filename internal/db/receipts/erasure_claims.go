package receipts

import (
	"sanad/internal/db/auditlog"
)

// ErasureClaims are what every erasure does to the answers to requests: any of them may repeat an erased text.
var ErasureClaims = []auditlog.Claim{
	{Does: auditlog.Empties, Of: []auditlog.Columns{
		{Table: "receipts", Names: "headers, body"},
	}},
	{Does: auditlog.Keeps, Why: "that a request was answered, for seven days", Of: []auditlog.Columns{
		{Table: "receipts", Names: "key, digest, created_at"},
	}},
}
