/**
 * Branded identifiers. A number that names a node is not a number that names a task,
 * and the compiler keeps them apart. Typed arrays hold them unbranded for speed; their
 * documentation names the kind, and one cast at the read brings the brand back.
 */
declare const brand: unique symbol;
type Branded<Name extends string> = number & { readonly [brand]: Name };

/** A compute node: has cores and runs tasks. `node = router · hostsPerRouter + host`. */
export type NodeId = Branded<'NodeId'>;
/** A router or switch: has links. */
export type RouterId = Branded<'RouterId'>;
/** A task of one job (a rank when exported), counted from 0 within its job. */
export type TaskId = Branded<'TaskId'>;
/** One core of one node. `slot = node · coresPerNode + core`. */
export type SlotId = Branded<'SlotId'>;
/** A directed link: an index into a machine's {@link LinkTable}; a cable is two of them. */
export type LinkId = Branded<'LinkId'>;

/**
 * Where a route begins or ends: a router, or, where a routing tells the nodes of a router apart, a node as the number of
 * routers + its NodeId. Every RouterId is one.
 */
export type AddressId = RouterId | Branded<'AddressId'>;

export const asNodeId = (value: number): NodeId => value as NodeId;
export const asRouterId = (value: number): RouterId => value as RouterId;
export const asAddressId = (value: number): AddressId => value as AddressId;
export const asLinkId = (value: number): LinkId => value as LinkId;
