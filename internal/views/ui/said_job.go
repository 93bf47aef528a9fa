package ui

import (
	"regexp"
	"strings"

	"sanad/internal/views/say"
	"sanad/internal/words"
)

// jobFaultIDs name the messages said_… of what fails a job: what cannot be read of an upload, and faults of judging.
var jobFaultIDs = strings.Fields(`
job_led_version job_led_rules job_led_rules_newer job_led_root job_led_entries job_led_differs job_led_computed
job_led_outside job_led_chunk job_led_order job_led_stale job_led_sealed job_led_hash job_led_verdict
job_led_undoes job_led_earlier job_led_adjudicates job_led_import job_led_confidence job_led_stale_imported
job_led_document job_led_place job_in_base64 job_in_statement job_add_none job_add_many job_add_words
job_add_room job_add_passages job_add_text job_add_full job_add_replaced job_add_id job_add_older job_add_version
job_own_wrong job_own_ended job_own_gone job_own_removed job_own_vectors job_own_disabled job_own_changed
job_own_lake job_own_empty job_own_judge job_own_bundle job_own_bundle_field job_own_claims
job_json_unknown job_json_long job_json_whole job_json_is job_in_says_not job_in_says_files
job_in_says job_in_looks job_in_format job_in_plain job_in_null job_in_sessions job_in_no_session job_in_neither
job_in_lang job_in_none_of job_in_id job_in_fields job_in_chunk_words job_in_page_or job_in_page job_in_heading
job_in_pair job_in_below job_in_behind job_in_chunk_two job_in_chunk_none job_in_stated_claims job_in_stated
job_in_answer_claims job_in_claim_words job_in_outside job_in_range job_in_quality job_in_level job_in_chunks
job_in_date job_in_itself job_in_older job_in_lake job_in_one job_in_one_two job_in_one_none
job_in_bytes job_in_no_answer job_in_answer_long
job_in_sources job_in_claims job_in_ragtruth job_in_session_files job_in_unnamed job_file_files
job_file_utf8_paste job_file_paste job_file_words job_file_text job_file_bytes job_file_pdf_cut
job_file_pdf_fonts job_file_pdf_layer job_file_pdf_locked job_file_large job_file_pdf_gave_up job_file_busy
job_file_pdf_broken job_file_word_zip job_file_word_gave_up job_file_html_gave_up job_file_word_broken
job_file_word_large job_file_html_large job_file_inside job_file_inside_other job_file_kind
job_file_html_deep job_file_interchange job_file_nul job_file_nul_signs job_file_utf8 job_file_end_broken
job_file_end
`)

// nounIDs name the messages said_noun_… of what a fault says is there, or is wanted.
var nounIDs = strings.Fields(`
object list text bool null number text_object text_number claim document chunk
`)

// insideIDs name the messages said_… of what a file is, whatever its name says.
var insideIDs = strings.Fields(`
inside_pdf inside_zip inside_html inside_office inside_rtf inside_image inside_gzip
`)

// boundIDs name the messages said_… of the bound that a file exceeds, as the end of a sentence about it.
var boundIDs = strings.Fields(`
bound_tag bound_tags bound_attributes bound_unpacked bound_deep bound_parts bound_cells bound_merged bound_paragraphs
bound_pages bound_steps bound_characters bound_text
`)

// part returns what stands for a placeholder whose value is a part of the sentence, not somebody's words. It is "" for
// a value that is not known, and then the fault is not known either. ok is false for any other placeholder.
func (c *Chrome) part(slot, english string) (said string, ok bool) {
	switch slot {
	case "What", "Wanted":
		return c.noun(english), true
	case "Inside":
		return c.oneOf(insideIDs, "said_", english), true
	case "Bound":
		return c.saidAs(bounds(), english), true
	case "File":
		return c.fileSaid(english), true
	case "Listed":
		return listed(english), true
	}
	return "", false
}

// noun returns what is said of a noun in the reader's language, "" if it is not known.
func (c *Chrome) noun(english string) string { return c.oneOf(nounIDs, "said_noun_", english) }

// oneOf returns the message whose English text is given, "" if none of ids is.
func (c *Chrome) oneOf(ids []string, prefix, english string) string {
	for _, id := range ids {
		if words.In("en").Text(prefix+id) == english {
			return c.T(prefix + id)
		}
	}
	return ""
}

// filePage is a PDF's name with the page that a fault is on.
var filePage = regexp.MustCompile(`(?s)^(.+), page ([0-9]+)$`)

// fileSaid returns a file's name, and the page if there is one.
func (c *Chrome) fileSaid(english string) string {
	m := filePage.FindStringSubmatch(english)
	if m == nil {
		return say.Isolated(english)
	}
	return c.T("said_job_file_page", "Name", say.Isolated(m[1]), "N", c.inserted(m[2]))
}

// listed returns an English list of names without its "and".
func listed(english string) string { return say.Isolated(strings.ReplaceAll(english, " and ", ", ")) }

// faultRead stands before what is read instead of a file that is not.
const faultRead = " Read are "

// saidAround returns what Said does for a fault with such a part, "" for any other.
func (c *Chrome) saidAround(english string) string {
	if what, ok := strings.CutSuffix(english, "; save it as one of these."); ok {
		if at := strings.LastIndex(what, faultRead); at > 0 {
			if why := c.saidOnce(what[:at]); why != "" {
				return why + " " + c.T("said_job_read", "Listed", listed(what[at+len(faultRead):]))
			}
		}
	}
	if what, ok := strings.CutSuffix(english, " "+words.In("en").Text("said_job_expected")); ok {
		if why := c.saidOnce(what); why != "" {
			return why + " " + c.T("said_job_expected")
		}
	}
	return ""
}
