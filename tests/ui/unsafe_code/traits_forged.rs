struct Mine;

impl gridwright::View for Mine {}
impl gridwright::Items for Mine {}
impl gridwright::Whole for Mine {}
impl gridwright::Slots for Mine {}
impl gridwright::FixedSlots for Mine {}
impl<S: ?Sized + gridwright::Slots> gridwright::SlotMap<S> for Mine {}
impl<S: ?Sized + gridwright::OwnShape> gridwright::OwnMap<S> for Mine {}
impl gridwright::OwnShape for Mine {}
impl gridwright::GroupOwned for Mine {}
impl gridwright::GroupShape for Mine {}
impl gridwright::GroupMemory for Mine {}
impl gridwright::ArrayElement for Mine {}
impl gridwright::AtomicValue for Mine {}
impl gridwright::AtomicInteger for Mine {}
impl gridwright::KernelArg for Mine {}
impl gridwright::Sets<()> for Mine {}
impl gridwright::Arguments<()> for Mine {}

fn main() {}
