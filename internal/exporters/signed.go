package exporters

import (
	"sanad/internal/domain/canonical"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// SignedFormat is the name of the format that is exported with a signature.
const SignedFormat = "json"

// ExportStatement returns what a tenant's key signs about an exported ledger: an in-toto Statement about the SHA-256 of
// the export's RFC 8785 form without its field sanad.signature (rule F-15). The same ledger gives the same bytes.
func ExportStatement(l *ledger.Ledger) ([]byte, error) {
	digest, err := Digest(l)
	if err != nil {
		return nil, err
	}
	return canonical.JSON(pack.NewExportStatement(l.Session.LedgerID, digest))
}
