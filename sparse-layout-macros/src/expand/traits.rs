//! What the grid implements, all of it forwarded to its core.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;

pub(super) fn traits(context: &Context<'_>) -> TokenStream {
    let Context { model, rt, quiet, .. } = context;
    let (impls, types, clause) = model.item.generics.split_for_impl();
    let ident = context.ident();
    quote! {
        #[automatically_derived]
        #quiet
        impl #impls #rt::Grid for #ident #types #clause {
            #[inline]
            fn core(&self) -> &#rt::Core<Self> {
                &self.core
            }
            #[inline]
            fn core_mut(&mut self) -> &mut #rt::Core<Self> {
                &mut self.core
            }
            #[inline]
            fn from_core(core: #rt::Core<Self>) -> Self {
                Self { core }
            }
        }

        #[automatically_derived]
        impl #impls ::core::clone::Clone for #ident #types #clause {
            fn clone(&self) -> Self {
                Self { core: ::core::clone::Clone::clone(&self.core) }
            }
        }

        #[automatically_derived]
        impl #impls ::core::default::Default for #ident #types #clause {
            fn default() -> Self {
                Self::new()
            }
        }

        #[automatically_derived]
        impl #impls ::core::cmp::PartialEq for #ident #types #clause {
            fn eq(&self, other: &Self) -> ::core::primitive::bool {
                self.core == other.core
            }
        }

        #[automatically_derived]
        impl #impls ::core::fmt::Debug for #ident #types #clause {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.core, f)
            }
        }
    }
}
