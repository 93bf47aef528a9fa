package db

import "gocloud.dev/blob"

// sessionStore stores sessions with their documents, claims and reviews, and what finds them.
type sessionStore struct {
	*auditLog
	bucket      *blob.Bucket
	originals   string // the bucket's folder; "" if it isn't one
	makeRoom    func() // Options.MakeRoom; may be nil
	confidences confidenceSums
}
