package importers

import (
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
)

// sessionFile and the structs below it are sanad.session/v1 on the wire (rule F-3). Decode reads the tags limit and
// need; null means absent.
type sessionFile struct {
	Format    string         `json:"format"`
	Session   sessionWire    `json:"session" need:"noun_head"`
	Documents []documentWire `json:"documents" limit:"documents"`
	Claims    []ownClaim     `json:"claims" limit:"claims"`
}

type sessionWire struct {
	ExternalID   string `json:"external_id" limit:"200"`
	Title        string `json:"title" limit:"500"`
	Query        string `json:"query" limit:"20000"`
	Mode         string `json:"mode" limit:"40"`
	Answer       string `json:"answer" limit:"answer"`
	Lang         string `json:"lang" limit:"35"`
	Model        string `json:"model" limit:"200"`
	ModelVersion string `json:"model_version" limit:"200"`
	TraceID      string `json:"trace_id" limit:"200"`
	DecisionID   string `json:"decision_id" limit:"200"`
	BundleID     string `json:"bundle_id" limit:"200"`
}

type documentWire struct {
	ID            string      `json:"id" limit:"200"`
	Filename      string      `json:"filename" limit:"500"`
	Title         string      `json:"title" limit:"500"`
	URI           string      `json:"uri" limit:"4000"`
	Lang          string      `json:"lang" limit:"35"`
	PublishedAt   string      `json:"published_at" limit:"40"`
	ValidUntil    string      `json:"valid_until" limit:"40"`
	Supersedes    string      `json:"supersedes" limit:"200"`
	SourceQuality *float64    `json:"source_quality"`
	Text          *string     `json:"text"`
	Pages         []pageWire  `json:"pages" limit:"chunks"`
	Chunks        []chunkWire `json:"chunks" limit:"chunks"`

	// of its file: what a reader does not see, or sees struck out
	LeftOut []leftOutWire `json:"left_out" limit:"200"`

	// in place of these: the words of a file in the lake, which a server reads
	Lake       string `json:"lake,omitempty" limit:"1024"`
	LakeSHA256 string `json:"lake_sha256,omitempty" limit:"64"` // that it must have; "" if any will do

	// likewise of a file in the library: the id of its document and a version, 0 for the newest
	Library        string `json:"library,omitempty" limit:"36"`
	LibraryVersion int    `json:"library_version,omitempty"`

	taken *library.Origin // what its file was taken from, nil if from no library

	blocks []ledger.Block // Text already split into blocks, for uploaded HTML, PDF and DOCX
	textBy string         // the reader that extracted the text from an uploaded file
	left   []ledger.LeftOut
	file   int            // which file of an upload it is of
	inner  bool           // it lies in that file, as an attachment of a mail
	cut    []ledger.Chunk // Text already split into chunks, for a provider's passages
}

// leftOutWire is a ledger.LeftOut.
type leftOutWire struct {
	Kind string `json:"kind" need:"noun_left_out"`
	How  string `json:"how" need:"noun_left_out_how"`
	Text string `json:"text" limit:"2000" need:"noun_chunk_words"`
	Page *int   `json:"page_number"`
	At   int    `json:"at"`
	More int    `json:"more"`
}

type pageWire struct {
	Number *int   `json:"number"`
	Text   string `json:"text"`
}

type chunkWire struct {
	ID          string   `json:"id" limit:"200"`
	Text        string   `json:"text" need:"noun_chunk_words"`
	Page        *int     `json:"page_number"`
	Kind        string   `json:"kind"` // which part of its file it comes from, "" for the body
	HeadingPath []string `json:"heading_path" limit:"32"`
	Start       *int     `json:"start"`
	End         *int     `json:"end"`

	Scanned  bool        `json:"scanned"` // its words were read from a picture
	Doubtful []doubtWire `json:"doubtful" limit:"10000"`
}

// doubtWire is a ledger.DoubtfulWord.
type doubtWire struct {
	Start      int `json:"start"`
	End        int `json:"end"`
	Confidence int `json:"confidence"`
}

// claimWire has the members of a claim in both formats.
type claimWire struct {
	ID               string `json:"claim_id" limit:"200"`
	Text             string `json:"claim_text" limit:"answer" need:"noun_claimed"`
	Type             string `json:"claim_type"`
	Importance       string `json:"importance"`
	RequiresCitation *bool  `json:"requires_citation"`
	Start            *int   `json:"start_offset"`
	End              *int   `json:"end_offset"`
}

type ownClaim struct {
	claimWire
	Matches []ownMatch `json:"matches" limit:"matches"`
}

// matchWire has the members of a match in both formats.
type matchWire struct {
	Similarity  float64 `json:"similarity" need:"noun_share"`
	Support     string  `json:"support_level" need:"noun_level"`
	Contradicts bool    `json:"contradicts"`
	Snippet     string  `json:"snippet" limit:"20000"`
}

type ownMatch struct {
	Chunk string `json:"chunk" limit:"500" need:"noun_chunk_name"`
	matchWire
}

// SessionFile returns an empty sanad.session/v1, from which the API description is generated.
func SessionFile() any { return sessionFile{} }
