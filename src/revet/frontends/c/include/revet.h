/* Names that Revet understands, for programs that are checked. Revet finds this header by itself. To compile
   such a program without Revet, copy the header and define the functions, or link a harness that
   'revet check --harness' wrote. */
#ifndef REVET_H
#define REVET_H

#include <stddef.h>

/* A run in which the condition does not hold is not looked at. */
extern void revet_assume(int condition);

/* The condition holds in every run: an assertion like that of <assert.h>. */
extern void revet_assert(int condition);

/* Any value of the type. */
extern _Bool revet_any_bool(void);
extern char revet_any_char(void);
extern signed char revet_any_schar(void);
extern unsigned char revet_any_uchar(void);
extern short revet_any_short(void);
extern unsigned short revet_any_ushort(void);
extern int revet_any_int(void);
extern unsigned int revet_any_uint(void);
extern long revet_any_long(void);
extern unsigned long revet_any_ulong(void);
extern long long revet_any_longlong(void);
extern unsigned long long revet_any_ulonglong(void);
extern size_t revet_any_size(void);
extern float revet_any_float(void);
extern double revet_any_double(void);
extern long double revet_any_longdouble(void);

/* A new object of this many bytes with any contents; the name is what reports call it. It is never null. */
extern void *revet_any_object(const char *name, size_t size);

#endif
