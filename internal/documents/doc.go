// Package documents reads files as their readers see them: it tells their kind, passes them to the reader of that kind,
// and explains what is wrong with them. A file becomes blocks with headings and pages; what nobody sees, or sees struck
// out, is listed apart (rule L-38). Nothing is stored or fetched. Files with a structure are parsed in a process of
// their own, if the options say so (rule SEC-9).
package documents
