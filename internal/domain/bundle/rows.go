package bundle

import "time"

// Artifact is a file that this program wrote into the lake.
type Artifact struct {
	Path   string
	SHA256 string
	Size   int
}

// BuildRecord is one build of a bundle: what was left out, what failed, and the artifact that records all of it.
type BuildRecord struct {
	Artifact  Artifact
	CreatedAt time.Time // the artifact's created_utc
	MadeBy    string    // id of the actor
	Bounding  BundleBounding
	Dropped   []Dropped
	Failed    []Failed
}

// Run is a run that was given a bundle.
type Run struct {
	ID       string
	LinkedAt time.Time
	LinkedBy string // id of the actor

	// Set for a judge run of this tenant; "" and 0 for a run that the caller named.
	SessionID, SessionTitle string
	Number                  int  // of the run in its session, from 1
	Read                    bool // it judged from the bundle and nothing else; false where the bundle is only linked to it
}

// Row is what a list shows of a bundle.
type Row struct {
	BundleID  string
	CreatedAt time.Time
	MadeBy    string // id of the actor
	Items     int
	Bytes     int
	Types     map[string]int
	Redacted  bool
	Dropped   int // the maximum over all builds
	Failed    int // the maximum over all builds
	Runs      int
	LakeURI   string // of the artifact of its first build
}

// Stored is a bundle from the store. Its items have no content, which is in the lake.
type Stored struct {
	Row
	BuildVersion string
	Policy       Policy
	Builds       []BuildRecord // oldest first
	Page         []Item        // items From …
	From         int
	Linked       []Run // newest first
}

// Query selects the bundles to list, newest first. An empty field does not filter.
type Query struct {
	RunID      string // given to this run
	SHA256     string // with an item of this content
	EvidenceID string // with an item of this id
	After      string
	Limit      int
}

// Filters reports whether the query leaves any bundle out.
func (q *Query) Filters() bool { return q.RunID != "" || q.SHA256 != "" || q.EvidenceID != "" }
