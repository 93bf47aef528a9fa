package ui

import "strconv"

// ChunkPath is the address of one passage in the document viewer.
func ChunkPath(document string, position int) string { return ChunkPathFrom(document, position, 0) }

// ChunkPathFrom is ChunkPath for a reader who comes from a claim, so that the viewer can link back; claim is 0 if none.
func ChunkPathFrom(document string, position, claim int) string {
	n, from := strconv.Itoa(position+1), ""
	if claim > 0 {
		from = "&claim=" + strconv.Itoa(claim)
	}
	return "/documents/" + document + "?chunk=" + n + from + "#c-" + n
}

// AttachPath is the address of the form that attaches the chunk at a position of a document to a claim, which is chosen
// there already unless claim is 0.
func AttachPath(document string, position, claim int) string {
	path := "/documents/" + document + "/attach?chunk=" + strconv.Itoa(position+1)
	if claim > 0 {
		path += "&claim=" + strconv.Itoa(claim)
	}
	return path
}
